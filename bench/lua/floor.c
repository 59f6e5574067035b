/* The floor of an encoder: walks a table by the API, and copies keys and values to a buffer that is kept. It escapes
 * nothing, converts no number (it copies eight bytes) and checks nothing. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;
static size_t used, capacity;

static void put(const void *bytes, size_t size) {
    if (used + size > capacity) {
        capacity = (used + size) * 2;
        buffer = realloc(buffer, capacity);
    }
    memcpy(buffer + used, bytes, size);
    used += size;
}

static void walk(lua_State *L, int index) {
    size_t size;
    const char *text;
    lua_Number number;
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &size);
        put(text, size);
        break;
    case LUA_TNUMBER:
        number = lua_tonumber(L, index);
        put(&number, sizeof number);
        break;
    case LUA_TTABLE:
        luaL_checkstack(L, 4, NULL);
        lua_pushnil(L);
        while (lua_next(L, index)) {
            walk(L, lua_gettop(L) - 1);
            walk(L, lua_gettop(L));
            lua_pop(L, 1);
        }
        break;
    default:
        put("x", 1);
    }
}

static int copy(lua_State *L) {
    used = 0;
    walk(L, 1);
    lua_pushlstring(L, buffer, used);
    return 1;
}

int luaopen_floor(lua_State *L) {
    lua_pushcfunction(L, copy);
    return 1;
}
