/* The module for tables as HDF5 files (.h5): a dataset of the root group for each column. */
#include "table/table_module.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/binary.h"

/* Rows that are read at once, and those that are written. */
enum {
    CHUNK_ROWS = 4096,
    SET_CHUNK_ROWS = 16384,
    AXES_MAX = 4,
    LONG_TEXT = 256,
    REASON_SIZE = 1024
};

/* The library is for one thread at a time, but a run reads and writes at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A dataset. */
typedef struct Member {
    hid_t set, memory_type;
    bool scalar;     /* one value for all rows, already read */
    bool long_texts; /* texts of any length */
    int axes;
    hsize_t shape[AXES_MAX];
    BinaryType type;
    int first, count;
    size_t offset;        /* of CHUNK_ROWS rows of it in a chunk */
    unsigned char *value; /* of a single one */
} Member;

typedef struct Reader {
    BinaryReader binary;
    hid_t file;
    Member *members;
    int member_count;
    size_t chunk_size;
    unsigned long long at, total;
} Reader;

/* Errors are told by us, in each thread, and nothing is closed at the program's end (see
 * break_off()). */
static void enter(void) {
    pthread_mutex_lock(&lock);
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
}

/* The deepest reason that the library has. */
static herr_t note_reason(unsigned depth, const H5E_error2_t *entry, void *data) {
    (void)depth;
    if (entry->desc && entry->desc[0]) {
        snprintf(data, REASON_SIZE, "%s", entry->desc);
    }
    return 0;
}

static bool fail(Error *error, const char *what) {
    char reason[REASON_SIZE] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_reason, reason);
    if (strstr(reason, "truncated file")) {
        return error_set(error, "%s: is cut (%.200s)", what, reason);
    }
    if (strstr(reason, "unable to lock")) {
        return error_set(error, "%s: another program has it open (%.200s)", what, reason);
    }
    const char *number = strstr(reason, "errno = "); /* more than anybody wants to read */
    if (number) {
        return error_set(error, "%s: %s", what, strerror(atoi(number + 8)));
    }
    return error_set(error, "%s: %.200s", what, reason[0] ? reason : "unknown reason");
}

/* Texts of any length become texts of LONG_TEXT bytes. */
static bool copy_texts(char **texts, int count, unsigned char *to, Error *error) {
    bool good = true;
    memset(to, 0, (size_t)count * LONG_TEXT);
    for (int i = 0; i < count; i++) {
        size_t length = texts[i] ? strlen(texts[i]) : 0;
        good = good && length <= LONG_TEXT;
        memcpy(to + (size_t)i * LONG_TEXT, texts[i] ? texts[i] : "",
               length < LONG_TEXT ? length : LONG_TEXT);
    }
    return good || error_set(error, "has a text of more than %d bytes", LONG_TEXT);
}

/* Rows from at on. */
static bool read_rows(const Member *member, unsigned long long at, int rows, unsigned char *to,
                      Error *error) {
    hsize_t start[AXES_MAX] = {at}, count[AXES_MAX];
    memcpy(count, member->shape, sizeof count);
    count[0] = (hsize_t)rows;
    hid_t space = H5Dget_space(member->set);
    hid_t memory = member->scalar ? H5Scopy(space) : H5Screate_simple(member->axes, count, NULL);
    bool good =
        member->scalar || H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    if (member->long_texts) {
        char **texts = calloc((size_t)rows * (size_t)member->count, sizeof *texts);
        good = good && texts && member->count == 1 &&
               H5Dread(member->set, member->memory_type, memory, space, H5P_DEFAULT, texts) >= 0;
        if (good && !copy_texts(texts, rows, to, error)) {
            good = false;
        } else if (!good) {
            fail(error, "cannot be read");
        }
        if (texts) {
            H5Dvlen_reclaim(member->memory_type, memory, H5P_DEFAULT, texts);
        }
        free(texts);
    } else if (!good ||
               H5Dread(member->set, member->memory_type, memory, space, H5P_DEFAULT, to) < 0) {
        good = fail(error, "cannot be read");
    }
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static bool read_members(const Reader *reader, int count, unsigned char *bytes, Error *error) {
    for (int i = 0; i < reader->member_count && count > 0; i++) {
        const Member *member = &reader->members[i];
        Error why;
        if (!member->scalar &&
            !read_rows(member, reader->at, count, bytes + member->offset, &why)) {
            return error_set(error, "dataset \"%s\": %s",
                             reader->binary.table.columns.list[member->first].name, why.text);
        }
    }
    return true;
}

static int next_rows(TableReader *table, TableChunk *chunk, int most, Error *error) {
    Reader *reader = (Reader *)table;
    unsigned long long left = reader->total - reader->at;
    int count = most < CHUNK_ROWS ? most : CHUNK_ROWS;
    count = left < (unsigned long long)count ? (int)left : count;
    if (!table_chunk_reserve(chunk, reader->chunk_size)) {
        error_set(error, "out of memory");
        return -1;
    }
    enter();
    bool good = read_members(reader, count, chunk->bytes, error);
    leave();
    reader->at += (unsigned long long)count;
    chunk->count = count;
    return good ? count : -1;
}

static long long skip_rows(TableReader *table, unsigned long long rows, Error *error) {
    Reader *reader = (Reader *)table;
    unsigned long long left = reader->total - reader->at;
    (void)error;
    rows = rows < left ? rows : left;
    reader->at += rows;
    return (long long)rows;
}

static void close_reader(TableReader *table) {
    Reader *reader = (Reader *)table;
    for (int i = 0; i < reader->member_count; i++) {
        Member *member = &reader->members[i];
        if (member->memory_type > 0) {
            H5Tclose(member->memory_type);
        }
        if (member->set > 0) {
            H5Dclose(member->set);
        }
        free(member->value);
    }
    free(reader->members);
    if (reader->file >= 0) {
        H5Fclose(reader->file);
    }
    free(reader);
}

/* How the values of a dataset are read. */
static bool choose_type(Member *member, Error *error) {
    hid_t type = H5Dget_type(member->set);
    H5T_class_t class = H5Tget_class(type);
    size_t size = H5Tget_size(type);
    bool good = true;
    if (class == H5T_FLOAT && size <= 8) {
        member->type = (BinaryType){.kind = 'f', .size = 8};
        member->memory_type = H5Tcopy(H5T_NATIVE_DOUBLE);
    } else if (class == H5T_INTEGER && size <= 8) {
        bool is_signed = H5Tget_sign(type) != H5T_SGN_NONE;
        member->type = (BinaryType){.kind = is_signed ? 'i' : 'u', .size = 8};
        member->memory_type = H5Tcopy(is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64);
    } else if (class == H5T_STRING) {
        member->long_texts = H5Tis_variable_str(type) > 0;
        size = member->long_texts ? LONG_TEXT : size;
        member->type = (BinaryType){.kind = 'S', .size = (int)(size <= 65536 ? size : 0)};
        good =
            binary_type_is_known(member->type) || error_set(error, "has texts that are too long");
        member->memory_type = H5Tcopy(type);
        if (!member->long_texts) {
            H5Tset_strpad(member->memory_type, H5T_STR_NULLPAD);
        }
    } else {
        good = error_set(error, "cannot be read: floats of up to 8 bytes, integers and texts can");
    }
    H5Tclose(type);
    return good;
}

static bool choose_shape(Member *member, Error *error) {
    hid_t space = H5Dget_space(member->set);
    member->axes = H5Sget_simple_extent_ndims(space);
    bool good = member->axes >= 0 && member->axes <= AXES_MAX &&
                H5Sget_simple_extent_dims(space, member->shape, NULL) >= 0;
    H5Sclose(space);
    member->scalar = member->axes == 0;
    hsize_t inner = 1;
    for (int i = 1; i < member->axes; i++) {
        inner = member->shape[i] > TABLE_COLUMNS_MAX ? 0 : inner * member->shape[i];
    }
    member->count = (int)inner;
    return (good && inner > 0 && inner <= TABLE_COLUMNS_MAX) ||
           error_set(error, "its shape cannot be a column's");
}

static bool add_member(Reader *reader, Member *member, const char *name, Error *error) {
    BinaryReader *binary = &reader->binary;
    size_t size = (size_t)member->type.size, row_size = size * (size_t)member->count;
    member->offset = reader->chunk_size;
    member->value = member->scalar ? calloc(1, row_size + 1) : NULL;
    if (member->scalar && !member->value) {
        return error_set(error, "out of memory");
    }
    member->first = binary_add(&binary->table.columns, name, member->type, member->count, error);
    if (member->first < 0) {
        return false;
    }
    for (int k = 0; k < member->count; k++) {
        size_t offset = (size_t)k * size;
        binary->places[member->first + k] =
            (BinaryPlace){.offset = member->offset + offset,
                          .fixed = member->scalar ? member->value + offset : NULL,
                          .stride = member->scalar ? 0 : row_size,
                          .type = member->type};
    }
    if (!member->scalar) {
        reader->chunk_size += CHUNK_ROWS * row_size;
        return true;
    }
    return read_rows(member, 0, 1, member->value, error);
}

/* All datasets have the same number of rows; single values are for all of them. */
static bool same_length(Reader *reader, const Member *member, bool *any, Error *error) {
    if (member->scalar) {
        return true;
    }
    if (*any && member->shape[0] != reader->total) {
        return error_set(error, "has %llu rows, those before it %llu",
                         (unsigned long long)member->shape[0], reader->total);
    }
    *any = true;
    reader->total = member->shape[0];
    return true;
}

static bool open_member(Reader *reader, hsize_t index, bool *any, Error *error) {
    char name[TABLE_NAME_SIZE];
    Error why;
    /* in the order in which they were made, where the file knows it, else by name */
    if (H5Lget_name_by_idx(reader->file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, name,
                           sizeof name, H5P_DEFAULT) < 0) {
        H5Lget_name_by_idx(reader->file, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, sizeof name,
                           H5P_DEFAULT);
    }
    Member *member = &reader->members[reader->member_count++];
    member->set = H5Dopen2(reader->file, name, H5P_DEFAULT);
    bool good = member->set >= 0 || error_set(&why, "is not a dataset: a table is the datasets of "
                                                    "the root group");
    good = good && choose_type(member, &why) && choose_shape(member, &why) &&
           same_length(reader, member, any, &why) && add_member(reader, member, name, &why);
    return good || error_set(error, "\"%s\": %s", name, why.text);
}

static bool open_file(Reader *reader, const char *path, Error *error) {
    H5G_info_t root;
    bool any = false;
    reader->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (reader->file < 0) {
        return fail(error, "cannot be opened");
    }
    if (H5Gget_info(reader->file, &root) < 0 || root.nlinks == 0 ||
        root.nlinks > TABLE_COLUMNS_MAX) {
        return error_set(error, "has no datasets, or more than 512");
    }
    reader->members = calloc((size_t)root.nlinks, sizeof *reader->members);
    if (!reader->members) {
        return error_set(error, "out of memory");
    }
    for (hsize_t i = 0; i < root.nlinks; i++) {
        if (!open_member(reader, i, &any, error)) {
            return false;
        }
    }
    reader->total = any ? reader->total : 1;
    reader->binary.table.total = reader->total;
    return true;
}

TableReader *carom_table_open(const char *path, Error *error) {
    const BinarySteps steps = {next_rows, skip_rows, close_reader};
    Reader *reader = binary_reader_create(sizeof *reader, steps, error);
    if (!reader) {
        return NULL;
    }
    reader->file = -1;
    enter();
    bool good = open_file(reader, path, error);
    leave();
    if (!good) {
        close_reader(&reader->binary.table);
        return NULL;
    }
    return &reader->binary.table;
}

typedef struct Writer {
    BinaryWriter binary;
    hid_t file;
    hid_t sets[TABLE_COLUMNS_MAX], types[TABLE_COLUMNS_MAX];
    size_t record_size;
    char *records; /* up to SET_CHUNK_ROWS that are not in the file yet */
    char *column;  /* of them */
    int waiting;
    bool broken; /* something could not be written */
} Writer;

/* After a failure to write, for want of space above all, the library would crash when it closes
 * what it still has to write: nothing of it is touched again, then. */
static bool break_off(Writer *writer, Error *error) {
    writer->broken = true;
    return fail(error, "HDF5");
}

/* Write the waiting records to the end of all columns. */
static bool flush_records(Writer *writer, Error *error) {
    hsize_t start = writer->binary.rows, count = (hsize_t)writer->waiting, end = start + count;
    size_t offset = 0;
    bool good = true;
    if (writer->waiting == 0) {
        return true;
    }
    hid_t memory = H5Screate_simple(1, &count, NULL);
    for (int i = 0; i < writer->binary.table.columns.count && good; i++) {
        size_t size = binary_size(&writer->binary.table.columns.list[i]);
        binary_column_copy(writer->records, writer->record_size, offset, size, writer->waiting,
                           writer->column);
        offset += size;
        good = H5Dset_extent(writer->sets[i], &end) >= 0;
        hid_t space = H5Dget_space(writer->sets[i]);
        good = good &&
               H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
               H5Dwrite(writer->sets[i], writer->types[i], memory, space, H5P_DEFAULT,
                        writer->column) >= 0;
        good = good || break_off(writer, error); /* now: other calls forget the reason */
        H5Sclose(space);
    }
    H5Sclose(memory);
    writer->binary.rows = end;
    writer->waiting = 0;
    return good;
}

static bool keep_records(TableWriter *table, const char *bytes, size_t length, int rows,
                         Error *error) {
    Writer *writer = (Writer *)table;
    (void)length;
    while (rows > 0) {
        int room = SET_CHUNK_ROWS - writer->waiting, now = rows < room ? rows : room;
        size_t size = (size_t)now * writer->record_size;
        memcpy(writer->records + (size_t)writer->waiting * writer->record_size, bytes, size);
        writer->waiting += now;
        bytes += size;
        rows -= now;
        if (writer->waiting == SET_CHUNK_ROWS && !flush_records(writer, error)) {
            return false;
        }
    }
    return true;
}

static bool close_file(Writer *writer) {
    bool good = true;
    for (int i = 0; i < writer->binary.table.columns.count && !writer->broken; i++) {
        good = (writer->sets[i] <= 0 || H5Dclose(writer->sets[i]) >= 0) && good;
        if (writer->types[i] > 0) {
            H5Tclose(writer->types[i]);
        }
        writer->sets[i] = writer->types[i] = 0;
    }
    good = (writer->broken || writer->file < 0 || H5Fclose(writer->file) >= 0) && good;
    writer->file = -1;
    return good;
}

static bool append_records(TableWriter *table, const char *bytes, size_t length, int rows,
                           Error *error) {
    enter();
    bool good = keep_records(table, bytes, length, rows, error);
    leave();
    return good;
}

static bool finish_file(TableWriter *table, Error *error) {
    Writer *writer = (Writer *)table;
    enter();
    bool good = flush_records(writer, error);
    if (good && (H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0 || !close_file(writer))) {
        good = break_off(writer, error);
    }
    leave();
    return good && binary_writer_finish(&writer->binary, error);
}

static void close_writer(TableWriter *table) {
    Writer *writer = (Writer *)table;
    enter();
    close_file(writer);
    leave();
    free(writer->records);
    free(writer->column);
    binary_writer_close(&writer->binary);
}

static bool create_set(Writer *writer, int index) {
    const TableColumn *column = &writer->binary.table.columns.list[index];
    hid_t type = H5Tcopy(column->kind == TABLE_NUMBER    ? H5T_NATIVE_DOUBLE
                         : column->kind == TABLE_INTEGER ? H5T_NATIVE_INT64
                                                         : H5T_C_S1);
    bool good = type >= 0;
    if (column->kind == TABLE_TEXT) {
        good = good && H5Tset_size(type, column->width) >= 0 &&
               H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    }
    hsize_t none = 0, any = H5S_UNLIMITED, chunk = SET_CHUNK_ROWS;
    hid_t space = H5Screate_simple(1, &none, &any), list = H5Pcreate(H5P_DATASET_CREATE);
    /* the same bytes whenever it is written */
    good = good && H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_obj_track_times(list, 0) >= 0;
    hid_t set =
        good ? H5Dcreate2(writer->file, column->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT)
             : -1;
    H5Pclose(list);
    H5Sclose(space);
    writer->types[index] = type;
    writer->sets[index] = set;
    return set >= 0;
}

static bool create_file(Writer *writer, Error *error) {
    /* columns in their order */
    hid_t list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    writer->file = H5Fcreate(writer->binary.file.temporary, H5F_ACC_TRUNC, list, H5P_DEFAULT);
    H5Pclose(list);
    bool good = writer->file >= 0;
    for (int i = 0; i < writer->binary.table.columns.count && good; i++) {
        if (strchr(writer->binary.table.columns.list[i].name, '/')) {
            return error_set(error, "column \"%s\": a name in HDF5 must not have a slash",
                             writer->binary.table.columns.list[i].name);
        }
        good = create_set(writer, i);
    }
    return good || break_off(writer, error);
}

TableWriter *carom_table_create(const char *path, const TableColumns *columns, Error *error) {
    const BinaryCalls calls = {append_records, finish_file, close_writer};
    Writer *writer = binary_writer_create(sizeof *writer, path, columns, calls, error);
    if (!writer) {
        return NULL;
    }
    writer->file = -1;
    writer->record_size = binary_record_size(columns);
    writer->records = malloc(SET_CHUNK_ROWS * writer->record_size);
    writer->column = malloc(SET_CHUNK_ROWS * writer->record_size);
    bool good = (writer->records && writer->column) || error_set(error, "out of memory");
    enter();
    good = good && create_file(writer, error);
    leave();
    if (!good) {
        close_writer(&writer->binary.table);
        return NULL;
    }
    return &writer->binary.table;
}
