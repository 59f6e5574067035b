// The floor: a loop in C over LMDB's cursor.
//
//     floor DIRECTORY DATABASE [FIELD]
//
// Says the number of records (with FIELD, of those whose bool of this number is true), and CPU seconds.

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return at.tv_sec + at.tv_nsec / 1e9;
}

static size_t varint(const unsigned char *bytes, size_t *at) {
    size_t value = 0;
    for (int shift = 0;; shift += 7) {
        unsigned char byte = bytes[(*at)++];
        value |= (size_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
}

// Whether a bool of a message is true. The messages are Demat's own, and whole.
static int is_true(MDB_val record, size_t field) {
    const unsigned char *bytes = record.mv_data;
    size_t at = 0;
    while (at < record.mv_size) {
        size_t tag = varint(bytes, &at), number = tag >> 3;
        switch (tag & 7) {
            case 0: {
                size_t value = varint(bytes, &at);
                if (number == field) return value != 0;
                break;
            }
            case 1: at += 8; break;
            case 2: {
                size_t length = varint(bytes, &at);
                at += length;
                break;
            }
            default: at += 4;
        }
    }
    return 0;
}

static void must(int code) {
    if (code) {
        fprintf(stderr, "%s\n", mdb_strerror(code));
        exit(1);
    }
}

int main(int count, char **arguments) {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_cursor *cursor;
    MDB_val key, value;
    size_t records = 0, field = count > 3 ? strtoul(arguments[3], NULL, 10) : 0;
    must(mdb_env_create(&env));
    must(mdb_env_set_maxdbs(env, 8));
    must(mdb_env_set_mapsize(env, (size_t)1 << 36));
    must(mdb_env_open(env, arguments[1], MDB_RDONLY, 0600));
    must(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
    must(mdb_dbi_open(txn, arguments[2], 0, &dbi));
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double begin = now();
        records = 0;
        must(mdb_cursor_open(txn, dbi, &cursor));
        while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) records += field ? is_true(value, field) : 1;
        mdb_cursor_close(cursor);
        double took = now() - begin;
        if (took < best) best = took;
    }
    printf("%zu %.6f\n", records, best);
    return 0;
}
