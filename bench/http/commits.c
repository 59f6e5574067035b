/* What a durable insert takes at least: rows committed one at a time by SQLite's own API, for so many seconds.
 *
 *   commits DB SECONDS
 *
 * Prints how many there were in a second.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void must(int code, sqlite3 *db) {
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    long rows = 0;
    if (count != 3) return 2;
    unlink(arguments[1]);
    must(sqlite3_open(arguments[1], &db), db);
    must(sqlite3_exec(db,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE tasks(id INTEGER PRIMARY KEY, done INTEGER NOT NULL, title TEXT NOT NULL)",
                      0, 0, 0), db);
    must(sqlite3_prepare_v2(db, "INSERT INTO tasks(done, title) VALUES (?1, ?2)", -1, &statement, 0), db);
    double begun = now(), end = begun + atof(arguments[2]);
    while (now() < end) {
        must(sqlite3_bind_int(statement, 1, 0), db);
        must(sqlite3_bind_text(statement, 2, "Clean Room", -1, SQLITE_STATIC), db);
        must(sqlite3_step(statement), db);
        must(sqlite3_reset(statement), db);
        rows++;
    }
    printf("%f\n", rows / (now() - begun));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return 0;
}
