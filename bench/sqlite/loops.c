/* What SQLite's own API takes for the jobs of `sqlite.py`: prepared statements, nothing but what each job needs.
 *
 *   loops insert DB ROWS         10 M tasks, journal and synchronous off, one transaction
 *   loops insert-index DB ROWS   the same, and CREATE INDEX on the title afterwards
 *   loops step DB ROWS           every row stepped to and its three columns read
 *   loops json DB ROWS           every row as JSON, into one buffer
 *
 * Each prints what it found, for the runner to compare, and the CPU and wall time of the job alone.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *db;

static void must(int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static double at(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void insert(const char *path, long rows, int index) {
    static const char *titles[] = {"Clean Room", "Check Twitter"};
    sqlite3_stmt *statement;
    unlink(path);
    must(sqlite3_open(path, &db));
    must(sqlite3_exec(db,
                      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE tasks (id INTEGER PRIMARY KEY, "
                      "title VARCHAR(220) NOT NULL, done INTEGER); BEGIN",
                      0, 0, 0));
    must(sqlite3_prepare_v2(db, "INSERT INTO tasks (title, done) VALUES (?1, ?2)", -1, &statement, 0));
    for (long row = 0; row < rows; row++) {
        must(sqlite3_bind_text(statement, 1, titles[row & 1], -1, SQLITE_STATIC));
        must(sqlite3_bind_int(statement, 2, row & 1));
        must(sqlite3_step(statement));
        must(sqlite3_reset(statement));
    }
    sqlite3_finalize(statement);
    must(sqlite3_exec(db, "COMMIT", 0, 0, 0));
    if (index) must(sqlite3_exec(db, "CREATE INDEX tasks_title ON tasks (title)", 0, 0, 0));
    must(sqlite3_close(db));
    printf("%ld", rows);
}

static sqlite3_stmt *all(const char *path) {
    sqlite3_stmt *statement;
    must(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, 0));
    must(sqlite3_prepare_v2(db, "SELECT id, title, done FROM tasks", -1, &statement, 0));
    return statement;
}

static void step(const char *path) {
    sqlite3_stmt *statement = all(path);
    long long sum = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        sum += sqlite3_column_int64(statement, 0);
        sqlite3_column_text(statement, 1);
        sum += sqlite3_column_bytes(statement, 1) + sqlite3_column_int64(statement, 2);
    }
    printf("%lld", sum);
}

static char *number(char *to, long long value) {
    char digits[20];
    int count = 0;
    do digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count) *to++ = digits[--count];
    return to;
}

static char *put(char *to, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static void json(const char *path) {
    sqlite3_stmt *statement = all(path);
    size_t room = 1 << 20;
    char *buffer = malloc(room), *to = buffer;
    *to++ = '[';
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const unsigned char *title = sqlite3_column_text(statement, 1);
        int length = sqlite3_column_bytes(statement, 1);
        if (to - buffer + 6 * (size_t)length + 100 > room) {
            size_t used = to - buffer;
            buffer = realloc(buffer, room *= 2);
            to = buffer + used;
        }
        to = put(to, "{\"id\":");
        to = number(to, sqlite3_column_int64(statement, 0));
        to = put(to, ",\"title\":\"");
        for (int at = 0; at < length; at++) {
            unsigned char byte = title[at];
            if (byte == '"' || byte == '\\') *to++ = '\\';
            if (byte < ' ') to += sprintf(to, "\\u%04x", byte);
            else *to++ = byte;
        }
        to = put(to, "\",\"done\":");
        to = number(to, sqlite3_column_int64(statement, 2));
        to = put(to, "},");
    }
    to[-1] = ']';
    printf("%zu", (size_t)(to - buffer));
}

int main(int count, char **given) {
    if (count < 4) return 2;
    const char *job = given[1], *path = given[2];
    long rows = atol(given[3]);
    double cpu = at(CLOCK_PROCESS_CPUTIME_ID), wall = at(CLOCK_MONOTONIC);
    if (!strcmp(job, "insert")) insert(path, rows, 0);
    else if (!strcmp(job, "insert-index")) insert(path, rows, 1);
    else if (!strcmp(job, "step")) step(path);
    else if (!strcmp(job, "json")) json(path);
    else return 2;
    printf(" %f %f\n", at(CLOCK_PROCESS_CPUTIME_ID) - cpu, at(CLOCK_MONOTONIC) - wall);
    return 0;
}
