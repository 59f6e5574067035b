/* Floors: what the objects alone cost, with no parsing and no look at what is written.
 *
 *     maker = floor.Maker(cls, ("hi", "there", "comment"))   a slotted class and three of its slots: int, int, str
 *     maker.records(count)              a list of `count` instances: hi = i, there = 2 * i, comment = a new "comment"
 *     maker.records(count, shared=True) the same, and one "comment" shared by all of them
 *     maker.write(list, size)           the records as JSON in a new bytes object of exactly `size` bytes
 *     maker.write_into(list, bytearray) the same into a bytearray that already has the size
 *     floor.with_dict(cls, names, count)  instances that have a `__dict__`
 *     floor.Tasks(cls, ("id", "title", "done"))   .make() one instance, .write(task) its JSON: for small messages
 *     floor.last(data, number)          the text of a message's field, found by tags and lengths; the first that comes
 *     floor.scan(data, number)          of messages each behind its length: the sum of a `fixed32` of each
 *     floor.texts(data, number)         the same of a text: offsets and bytes, as Arrow has them
 *     floor.copy(value)                 new lists, dicts, texts, ints and floats like those of an untyped document
 *     floor.register(cls, names)        copy() then also makes instances of this class, which has slots
 *
 * Slots are written where the class's member descriptors say, with no `__init__`. The collector is paused meanwhile;
 * lists are made in the size they will have, which a decoder can't know. An output is written in place, in a buffer
 * made in the right size, which an encoder can't know either; texts are copied without a look for escapes.
 *
 * Nothing here is told to the memory beforehand: no prefetch of the rows to come, no huge pages for the output. Whoever
 * does that can be below the floor.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h>

#define FIELDS 3

typedef struct {
    PyObject_HEAD
    PyTypeObject *cls;
    Py_ssize_t offsets[FIELDS];
} Maker;

static inline PyObject **slot(PyObject *object, Py_ssize_t offset) { return (PyObject **)((char *)object + offset); }

static PyObject *new_text(const char *bytes, Py_ssize_t size)
{
    PyObject *text = PyUnicode_New(size, 127);
    if (text != NULL)
        memcpy(PyUnicode_1BYTE_DATA(text), bytes, (size_t)size);
    return text;
}

/* Fills the slots of a new instance; takes over the three references, also where it fails. */
static PyObject *instance(const Maker *self, PyObject *first, PyObject *second, PyObject *third)
{
    PyObject *made = NULL;
    if (first != NULL && second != NULL && third != NULL && (made = self->cls->tp_alloc(self->cls, 0)) != NULL) {
        *slot(made, self->offsets[0]) = first;
        *slot(made, self->offsets[1]) = second;
        *slot(made, self->offsets[2]) = third;
        return made;
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_XDECREF(third);
    return NULL;
}

static int fill(const Maker *self, PyObject *list, Py_ssize_t count, PyObject *shared)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *comment = shared != NULL ? Py_NewRef(shared) : new_text("comment", 7);
        PyObject *row = instance(self, PyLong_FromSsize_t(i + 1), PyLong_FromSsize_t(2 * (i + 1)), comment);
        if (row == NULL)
            return -1;
        PyList_SET_ITEM(list, i, row);
    }
    return 0;
}

static PyObject *maker_records(Maker *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"count", "shared", NULL};
    Py_ssize_t count;
    int share = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n|p", names, &count, &share))
        return NULL;
    PyObject *shared = share ? new_text("comment", 7) : NULL;
    if (share && shared == NULL)
        return NULL;
    int collecting = PyGC_Disable();
    PyObject *list = PyList_New(count);
    if (list != NULL && fill(self, list, count, shared) < 0)
        Py_CLEAR(list);
    if (collecting)
        PyGC_Enable();
    Py_XDECREF(shared);
    return list;
}

/* The value of an int of one digit (30 bits) read in place; others by the interpreter's own function. */
static inline int64_t value_of(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (PyUnstable_Long_IsCompact((PyLongObject *)object))
        return PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    if (Py_SIZE(object) == 1)
        return ((PyLongObject *)object)->ob_digit[0];
#endif
    return PyLong_AsLongLong(object);
}

static inline char *put(char *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}
#define PUT(at, text) put((at), (text), sizeof(text) - 1)

/* Up to eight digits at once: halves, pairs and digits are split inside of one word. Eight bytes are stored whatever the
 * number is; what follows the number overwrites the rest. Negative numbers don't occur here. */
static inline char *put_int(char *at, int64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (value < 100000000) {
        uint64_t halves = (uint64_t)value / 10000 | ((uint64_t)value % 10000) << 32;
        uint64_t hundreds = (halves * 10486 >> 20) & 0x0000007F0000007F;
        uint64_t pairs = hundreds | (halves - 100 * hundreds) << 16;
        uint64_t tens = (pairs * 103 >> 10) & 0x000F000F000F000F;
        uint64_t digits = tens | (pairs - 10 * tens) << 8;
        /* The first digit is the lowest byte; the last one is written even where it is 0. */
        int zeros = __builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
        digits = (digits | 0x3030303030303030) >> (8 * zeros);
        memcpy(at, &digits, 8);
        return at + 8 - zeros;
    }
#endif
    char digits[20];
    char *start = digits + sizeof digits;
    do {
        *--start = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return put(at, start, (size_t)(digits + sizeof digits - start));
}

/* Short texts by two copies that overlap: a copy of a size that the compiler doesn't know is a call. */
static inline char *put_text(char *at, PyObject *text)
{
    const char *bytes = (const char *)PyUnicode_1BYTE_DATA(text);
    size_t size = (size_t)PyUnicode_GET_LENGTH(text);
    if (size >= 4 && size <= 8) {
        memcpy(at, bytes, 4);
        memcpy(at + size - 4, bytes + size - 4, 4);
        return at + size;
    }
    return put(at, bytes, size);
}

/* The end of the JSON written at `at`. There is no check of the room: the caller's size was counted from the file. */
static char *write_list(const Maker *self, PyObject *list, char *at)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    *at++ = '[';
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PyList_GET_ITEM(list, i);
        at = PUT(at, "{\"hi\":");
        at = put_int(at, value_of(*slot(row, self->offsets[0])));
        at = PUT(at, ",\"there\":");
        at = put_int(at, value_of(*slot(row, self->offsets[1])));
        at = PUT(at, ",\"comment\":\"");
        at = put_text(at, *slot(row, self->offsets[2]));
        at = PUT(at, "\"},");
    }
    at[-1] = ']';
    return at;
}

static PyObject *maker_write(Maker *self, PyObject *args)
{
    PyObject *list;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "O!n", &PyList_Type, &list, &size))
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes == NULL)
        return NULL;
    if (write_list(self, list, PyBytes_AS_STRING(bytes)) != PyBytes_AS_STRING(bytes) + size)
        Py_FatalError("floor: the size was wrong, and memory may have been overwritten");
    return bytes;
}

static PyObject *maker_write_into(Maker *self, PyObject *args)
{
    PyObject *list, *into;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &list, &PyByteArray_Type, &into))
        return NULL;
    char *start = PyByteArray_AS_STRING(into);
    if (write_list(self, list, start) != start + PyByteArray_GET_SIZE(into))
        Py_FatalError("floor: the bytearray had the wrong size, and memory may have been overwritten");
    Py_RETURN_NONE;
}

/* One task of the small messages: {"id":48151,"title":"Buy oat milk and bread","done":false} */
static PyObject *tasks_make(Maker *self, PyObject *Py_UNUSED(data))
{
    return instance(self, PyLong_FromLong(48151), new_text("Buy oat milk and bread", 22), Py_NewRef(Py_False));
}

static PyObject *tasks_write(Maker *self, PyObject *task)
{
    char buffer[128];
    char *at = PUT(buffer, "{\"id\":");
    at = put_int(at, value_of(*slot(task, self->offsets[0])));
    at = PUT(at, ",\"title\":\"");
    at = put_text(at, *slot(task, self->offsets[1]));
    at = *slot(task, self->offsets[2]) == Py_True ? PUT(at, "\",\"done\":true}") : PUT(at, "\",\"done\":false}");
    return PyBytes_FromStringAndSize(buffer, at - buffer);
}

static PyObject *maker_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    PyTypeObject *cls;
    PyObject *names[FIELDS];
    if (!PyArg_ParseTuple(args, "O!(UUU)", &PyType_Type, &cls, &names[0], &names[1], &names[2]))
        return NULL;
    Maker *self = (Maker *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->cls = (PyTypeObject *)Py_NewRef(cls);
    for (int i = 0; i < FIELDS; i++) {
        PyObject *member = PyObject_GetAttr((PyObject *)cls, names[i]);
        if (member == NULL || !Py_IS_TYPE(member, &PyMemberDescr_Type)) {
            if (member != NULL)
                PyErr_Format(PyExc_TypeError, "%U is no slot of %R", names[i], cls);
            Py_XDECREF(member);
            Py_DECREF(self);
            return NULL;
        }
        self->offsets[i] = ((PyMemberDescrObject *)member)->d_member->offset;
        Py_DECREF(member);
    }
    return (PyObject *)self;
}

static void maker_dealloc(Maker *self)
{
    Py_XDECREF(self->cls);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef maker_methods[] = {
    {"records", (PyCFunction)(void (*)(void))maker_records, METH_VARARGS | METH_KEYWORDS, "records(count, shared=False)"},
    {"write", (PyCFunction)maker_write, METH_VARARGS, "write(list, size)"},
    {"write_into", (PyCFunction)maker_write_into, METH_VARARGS, "write_into(list, bytearray)"},
    {NULL},
};

static PyMethodDef tasks_methods[] = {
    {"make", (PyCFunction)tasks_make, METH_O, "make(data), the data unread"},
    {"write", (PyCFunction)tasks_write, METH_O, "write(task)"},
    {NULL},
};

static PyTypeObject maker_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor.Maker",
    .tp_basicsize = sizeof(Maker),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = maker_new,
    .tp_dealloc = (destructor)maker_dealloc,
    .tp_methods = maker_methods,
};

static PyTypeObject tasks_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor.Tasks",
    .tp_basicsize = sizeof(Maker),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = maker_new,
    .tp_dealloc = (destructor)maker_dealloc,
    .tp_methods = tasks_methods,
};

/* Takes over the reference to `value`, also where it fails. */
static int set(PyObject *object, PyObject *name, PyObject *value)
{
    if (value == NULL)
        return -1;
    int failed = PyObject_GenericSetAttr(object, name, value);
    Py_DECREF(value);
    return failed;
}

/* `object.__new__`, then one attribute after the other: what C can do for such a class by public functions. */
static PyObject *floor_with_dict(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *cls;
    PyObject *hi, *there, *comment;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "O!(UUU)n", &PyType_Type, &cls, &hi, &there, &comment, &count))
        return NULL;
    PyObject *nothing = PyTuple_New(0);
    int collecting = PyGC_Disable();
    PyObject *list = nothing == NULL ? NULL : PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *row = cls->tp_new(cls, nothing, NULL);
        if (row == NULL || set(row, hi, PyLong_FromSsize_t(i + 1)) < 0
            || set(row, there, PyLong_FromSsize_t(2 * (i + 1))) < 0 || set(row, comment, new_text("comment", 7)) < 0) {
            Py_XDECREF(row);
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, row);
        }
    }
    if (collecting)
        PyGC_Enable();
    Py_XDECREF(nothing);
    return list;
}

static PyObject *copied(PyObject *value);

static PyObject *copied_list(PyObject *value)
{
    Py_ssize_t count = PyList_GET_SIZE(value);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = copied(PyList_GET_ITEM(value, i));
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, item);
    }
    return list;
}

/* A table of up to so many entries is made in the smallest size that there is. */
#define SMALL_DICT 5

/* A small table is filled; a larger one is copied whole, in the size that it will have, and then its values are
 * replaced. */
static PyObject *copied_dict(PyObject *value)
{
    int small = PyDict_GET_SIZE(value) <= SMALL_DICT;
    PyObject *key, *found, *dict = small ? PyDict_New() : PyDict_Copy(value);
    Py_ssize_t place = 0;
    while (dict != NULL && PyDict_Next(small ? value : dict, &place, &key, &found)) {
        PyObject *item = copied(found);
        if (item == NULL || ((small || item != found) && PyDict_SetItem(dict, key, item) < 0))
            Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

/* The classes whose instances are copied, and where their fields are. They live as long as the process. */
#define MOST_SHAPES 64
#define MOST_FIELDS 128

typedef struct {
    PyTypeObject *cls;
    Py_ssize_t count, offsets[MOST_FIELDS];
} Shape;

static Shape shapes[MOST_SHAPES];
static int shape_count;

static PyObject *floor_register(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *cls;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &cls, &PyTuple_Type, &names))
        return NULL;
    for (int i = 0; i < shape_count; i++)
        if (shapes[i].cls == cls)
            Py_RETURN_NONE;
    if (shape_count == MOST_SHAPES || PyTuple_GET_SIZE(names) > MOST_FIELDS)
        return PyErr_Format(PyExc_ValueError, "more classes or fields than the floor has room for");
    Shape *made = &shapes[shape_count];
    made->count = PyTuple_GET_SIZE(names);
    for (Py_ssize_t i = 0; i < made->count; i++) {
        PyObject *member = PyObject_GetAttr((PyObject *)cls, PyTuple_GET_ITEM(names, i));
        if (member == NULL)
            return NULL;
        if (!Py_IS_TYPE(member, &PyMemberDescr_Type)) {
            Py_DECREF(member);
            return PyErr_Format(PyExc_TypeError, "%U is no slot of %R", PyTuple_GET_ITEM(names, i), cls);
        }
        made->offsets[i] = ((PyMemberDescrObject *)member)->d_member->offset;
        Py_DECREF(member);
    }
    made->cls = (PyTypeObject *)Py_NewRef(cls);
    shape_count++;
    Py_RETURN_NONE;
}

static PyObject *copied_instance(const Shape *shape, PyObject *value)
{
    PyObject *made = shape->cls->tp_alloc(shape->cls, 0);
    for (Py_ssize_t i = 0; made != NULL && i < shape->count; i++) {
        PyObject *field = *slot(value, shape->offsets[i]);
        if (field != NULL && (*slot(made, shape->offsets[i]) = copied(field)) == NULL)
            Py_CLEAR(made);
    }
    return made;
}

/* Keys are shared with the original, as they are by a decoder that keeps a cache of them; so are values of classes that
 * are not registered: dates, decimals, members of enums. */
static PyObject *copied(PyObject *value)
{
    for (int i = 0; i < shape_count; i++)
        if (Py_IS_TYPE(value, shapes[i].cls))
            return copied_instance(&shapes[i], value);
    if (PyUnicode_CheckExact(value)) {
        PyObject *text = PyUnicode_New(PyUnicode_GET_LENGTH(value), PyUnicode_MAX_CHAR_VALUE(value));
        if (text != NULL)
            memcpy(PyUnicode_DATA(text), PyUnicode_DATA(value),
                   (size_t)(PyUnicode_GET_LENGTH(value) * PyUnicode_KIND(value)));
        return text;
    }
    if (PyLong_CheckExact(value)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        /* One beyond 64 bits is shared. */
        return overflow ? Py_NewRef(value) : PyLong_FromLongLong(number);
    }
    if (PyFloat_CheckExact(value))
        return PyFloat_FromDouble(PyFloat_AS_DOUBLE(value));
    if (PyDict_CheckExact(value))
        return copied_dict(value);
    if (PyList_CheckExact(value))
        return copied_list(value);
    return Py_NewRef(value);
}

static PyObject *floor_copy(PyObject *Py_UNUSED(module), PyObject *value)
{
    int collecting = PyGC_Disable();
    PyObject *made = copied(value);
    if (collecting)
        PyGC_Enable();
    return made;
}

/* Messages of Protocol Buffers, by their tags and lengths; what is not well-formed or is in a group ends the search. */
typedef const unsigned char *Bytes;

static inline uint64_t varint(Bytes *at, Bytes end)
{
    uint64_t value = 0;
    for (int shift = 0; *at < end && shift < 70; shift += 7) {
        unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    *at = end;
    return 0;
}

/* Where the field stands, behind its tag; the end where it does not come. */
static inline Bytes find(Bytes at, Bytes end, uint64_t wanted)
{
    while (at < end) {
        uint64_t tag = varint(&at, end);
        if (tag == wanted)
            return at;
        uint64_t size = 0;
        switch (tag & 7) {
        case 0: varint(&at, end); break;
        case 1: size = 8; break;
        case 2: size = varint(&at, end); break;
        case 5: size = 4; break;
        default: return end;
        }
        if (size > (uint64_t)(end - at))
            return end;
        at += size;
    }
    return end;
}

/* What stands behind its length there. */
static inline Bytes content(Bytes at, Bytes end, Py_ssize_t *size)
{
    uint64_t wanted = varint(&at, end);
    *size = wanted > (uint64_t)(end - at) ? 0 : (Py_ssize_t)wanted;
    return at;
}

static PyObject *floor_last(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyBytes_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "last(bytes, number)");
        return NULL;
    }
    Bytes at = (Bytes)PyBytes_AS_STRING(args[0]), end = at + PyBytes_GET_SIZE(args[0]);
    uint64_t wanted = (uint64_t)PyLong_AsLong(args[1]) << 3 | 2;
    Py_ssize_t size;
    at = content(find(at, end, wanted), end, &size);
    return PyUnicode_DecodeUTF8((const char *)at, size, NULL);
}

static PyObject *floor_scan(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    unsigned int number;
    if (!PyArg_ParseTuple(args, "y*I", &data, &number))
        return NULL;
    uint64_t total = 0;
    for (Bytes at = data.buf, end = at + data.len; at < end;) {
        Py_ssize_t size;
        at = content(at, end, &size);
        Bytes found = find(at, at + size, (uint64_t)number << 3 | 5);
        uint32_t value = 0;
        if (at + size - found >= 4)
            memcpy(&value, found, 4);
        total += value;
        at += size;
    }
    PyBuffer_Release(&data);
    return PyLong_FromUnsignedLongLong(total);
}

/* Room is made for texts of 16 bytes in records of 60 and more: memory that nobody writes to costs nothing. */
static PyObject *floor_texts(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    unsigned int number;
    if (!PyArg_ParseTuple(args, "y*I", &data, &number))
        return NULL;
    Py_ssize_t most = data.len / 60 + 1, rows = 0, filled = 0;
    PyObject *offsets = PyBytes_FromStringAndSize(NULL, (most + 1) * 4), *texts = PyBytes_FromStringAndSize(NULL, most * 16);
    if (offsets != NULL && texts != NULL) {
        int32_t *ends = (int32_t *)(void *)PyBytes_AS_STRING(offsets);
        char *out = PyBytes_AS_STRING(texts);
        ends[0] = 0;
        for (Bytes at = data.buf, end = at + data.len; at < end && rows < most;) {
            Py_ssize_t size, len;
            at = content(at, end, &size);
            Bytes text = content(find(at, at + size, (uint64_t)number << 3 | 2), at + size, &len);
            if (len > most * 16 - filled)
                break;
            memcpy(out + filled, text, (size_t)len);
            filled += len;
            ends[++rows] = (int32_t)filled;
            at += size;
        }
    }
    PyBuffer_Release(&data);
    if (offsets == NULL || texts == NULL || _PyBytes_Resize(&offsets, (rows + 1) * 4) < 0
        || _PyBytes_Resize(&texts, filled) < 0) {
        Py_XDECREF(offsets);
        Py_XDECREF(texts);
        return NULL;
    }
    return Py_BuildValue("(NN)", offsets, texts);
}

static PyMethodDef floor_methods[] = {
    {"last", (PyCFunction)(void (*)(void))floor_last, METH_FASTCALL, "last(data, number)"},
    {"scan", floor_scan, METH_VARARGS, "scan(data, number)"},
    {"texts", floor_texts, METH_VARARGS, "texts(data, number)"},
    {"with_dict", floor_with_dict, METH_VARARGS, "with_dict(cls, names, count)"},
    {"copy", floor_copy, METH_O, "copy(value)"},
    {"register", floor_register, METH_VARARGS, "register(cls, names)"},
    {NULL},
};

static struct PyModuleDef floor_module = {
    PyModuleDef_HEAD_INIT, .m_name = "floor", .m_size = -1, .m_methods = floor_methods,
};

PyMODINIT_FUNC PyInit_floor(void)
{
    PyObject *module = PyModule_Create(&floor_module);
    if (module == NULL || PyModule_AddType(module, &maker_type) < 0 || PyModule_AddType(module, &tasks_type) < 0)
        Py_CLEAR(module);
    return module;
}
