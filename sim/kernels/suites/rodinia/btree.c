/* Trees for the kernels of b+tree of Rodinia, and what these should find in them, in the plainest way. */
#include <limits.h>

/* How many nodes each level of a tree has, the root first. Nodes are full to three quarters at most. Returns how many levels
 * there are. */
static int tree_levels(int records, int order, int *nodes)
{
    int levels = 0, fill = order * 3 / 4, above[32];

    do
        above[levels++] = records = (records + fill - 1) / fill;
    while (records > 1);
    for (int i = 0; i < levels; i++)
        nodes[i] = above[levels - 1 - i];
    return levels;
}

/* If `n` nodes share `parts` nodes or records of the level below, the first one that node `i` has. */
static int first_part(int i, int n, int parts) { return (long long)i * parts / n; }

/* How many nodes the tree has. */
int btree_nodes(int records, int order)
{
    int nodes[32], levels = tree_levels(records, order, nodes), sum = 0;

    for (int level = 0; level < levels; level++)
        sum += nodes[level];
    return sum;
}

/* The steps from the root to a leaf. */
int btree_height(int records, int order)
{
    int nodes[32];

    return tree_levels(records, order, nodes) - 1;
}

/* Builds a tree for keys that rise, level by level. A node has its own place, the places of what is below it, its keys, whether
 * it is a leaf, and how many keys it has. Below key i there is nothing smaller than it. The first key is lower than all, those
 * behind the last one are higher. */
void btree_build(const int *keys, int records, int order, int *tree)
{
    int nodes[32], levels = tree_levels(records, order, nodes), node = 0;

    for (int level = 0, below = 1; level < levels; level++) {
        int leaf = level == levels - 1, parts = leaf ? records : nodes[level + 1];
        for (int i = 0; i < nodes[level]; i++, node++) {
            int *places = tree + node * (2 * order + 5) + 1, *bounds = places + order + 1;
            int first = first_part(i, nodes[level], parts), count = first_part(i + 1, nodes[level], parts) - first;
            for (int key = 0; key <= order; key++)
                bounds[key] = key ? INT_MAX : INT_MIN;
            for (int part = 0; part < count; part++) {
                int smallest = first + part;
                for (int under = level + 1; under < levels; under++)
                    smallest = first_part(smallest, nodes[under], under == levels - 1 ? records : nodes[under + 1]);
                places[part + leaf] = leaf ? first + part : below + first + part;
                if (part + leaf)
                    bounds[part + leaf] = keys[smallest];
            }
            places[-1] = node;
            bounds[order + 1] = leaf;
            bounds[order + 2] = count + 1 + leaf;
        }
        below += parts;
    }
}

/* The place of a key among keys that rise, or -1. */
static int place_of(const int *keys, int count, int key)
{
    int low = 0;

    for (int high = count; low < high;) {
        int middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low] == key ? low : -1;
}

/* The value of a record is its key. There is -1 for keys without a record. */
void btree_search(const int *keys, int count, const int *wanted, int searches, int *values)
{
    for (int i = 0; i < searches; i++)
        values[i] = place_of(keys, count, wanted[i]) < 0 ? -1 : wanted[i];
}

/* Of each range the place of its first key, or 0 if no record has it, and how many records there are from that place to the last
 * key, or 0 if no record has that. */
void btree_ranges(const int *keys, int count, const int *starts, const int *ends, int ranges, int *places, int *lengths)
{
    for (int i = 0; i < ranges; i++) {
        int first = place_of(keys, count, starts[i]), last = place_of(keys, count, ends[i]);
        places[i] = first < 0 ? 0 : first;
        lengths[i] = last < 0 ? 0 : last - places[i] + 1;
    }
}
