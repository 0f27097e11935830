/* Every kind of control flow, each in a function of a thread's number. */
#include <stdint.h>

typedef uint32_t u;
#define APART __attribute__((noinline))

static u hash(u x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}
static APART u mix(u x) { return hash(x); }
static const u table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

u k_nested_if(u t)
{
    u h = hash(t), r = h;
    if (h & 1) {
        r += mix(1);
        if (h & 2)
            r = h & 4 ? mix(r) : r - mix(r + 1);
        else if (h & 4)
            r += mix(3);
    } else if (h & 2) {
        r = ~r;
    }
    return r;
}
u k_short_circuit(u t)
{
    u h = hash(t);
    if (((h & 1) && (mix(h) & 3)) || ((h & 16) && !(mix(h + 1) & 1)) || (h & 0x300) == 0x100)
        return mix(h + 2);
    return h;
}
u k_collatz(u t)
{
    u v = t + 1, steps = 0;
    while (v != 1) {
        v = v & 1 ? 3 * v + 1 : v >> 1;
        steps++;
    }
    return steps;
}
u k_break_and_continue(u t)
{
    u s = t;
    for (u i = 0; i < 30; i++) {
        u h = mix(i * 64 + t);
        if (h % 3 == 0)
            continue;
        if (h % 11 == 0)
            break;
        s = s * 7 + i;
        if (s & 8) {
            s ^= h;
            continue;
        }
        s++;
    }
    return s;
}
u k_conditions_of_a_loop(u t)
{
    u s = t, i = 0;
    while (i < (t & 15) + 2 && (s & 63) != 9) {
        s += table[(i + t) & 15] * (i + 1);
        if (s > 500)
            break;
        i++;
    }
    return s * 100 + i;
}
u k_early_return(u t)
{
    for (u i = 0; i < 60; i++) {
        u h = mix(t * 64 + i);
        if (h % 13 == 0)
            return i * 1000 + h % 1000;
        if (h % 17 == 0)
            return h;
    }
    return 7;
}
u k_exits_to_many_places(u t)
{
    u s = 0, i = 0;
    for (;;) {
        u h = mix(t + 64 * i);
        if (h % 10 == 0) {
            s += 1;
            break;
        }
        if (h % 10 == 2) {
            s *= 3;
            goto out;
        }
        if (h % 10 == 3)
            return s;
        s += h & 31;
        i++;
    }
    s = mix(s);
out:
    return s + i;
}
u k_loops_in_loops(u t)
{
    u s = 0;
    for (u i = 0; i < 8; i++) {
        for (u j = 0; j < 8; j++) {
            u h = mix(t * 64 + i * 8 + j);
            if (h % 7 == 0)
                break;
            if (h % 29 == 0)
                goto out;
            s += h & 15;
        }
        if (s % 9 == 4)
            break;
        s = s * 2 + 1;
    }
out:
    return s;
}
/* Lanes meet at the test of the outer loop, and part again from there. */
u k_met_where_they_part(u t)
{
    u s = t, i = 0, n = 0;
    while (i++ < 9) {
        for (;;) {
            s = mix(s + n++);
            if ((s & 7) == 1) {
                s ^= mix(s + i);
                break;
            }
            if ((s & 7) == 2)
                break;
        }
    }
    return s;
}
u k_irreducible(u t)
{
    u n = hash(t), i = 0, s = 0;
    if (n & 1)
        goto middle;
top:
    s = mix(s + i);
    i++;
    if (i > 30)
        goto done;
    if (s & 4)
        goto middle;
    s += 3;
middle:
    s ^= mix(i * 3 + t);
    i++;
    if ((s & 7) != 5)
        goto top;
done:
    return s + i;
}
u k_irreducible_of_four(u t)
{
    u n = mix(t), c = 0;
    switch (n & 3) {
    case 0: goto a;
    case 1: goto b;
    case 2: goto c;
    default: goto d;
    }
a:
    c += 1;
    n = mix(n);
    if (c > 50)
        return c;
    if (n & 1)
        goto c;
b:
    c += 10;
    n = mix(n);
    if (c > 500)
        return c + 1;
    if (n & 2)
        goto d;
c:
    c += 3;
    n = mix(n);
    if (n & 4)
        goto a;
    if (c > 300)
        goto e;
d:
    c += 7;
    n = mix(n + c);
    if (n & 8)
        goto b;
    if (n & 16)
        goto a;
e:
    return c ^ n;
}
u k_duffs_device(u t)
{
    u n = t & 31, s = 0, i = 0;
    switch (n & 3) {
    case 0:
        do {
            if (i >= n + 4)
                break;
            s += mix(i++);
    case 3:
            s ^= i * 3;
            i++;
    case 2:
            s += mix(i);
            i++;
    case 1:
            s = s * 5 + i;
            i++;
        } while (i < n);
    }
    return s;
}
u k_switch_in_a_loop(u t)
{
    u s = 0, state = t & 3;
    for (u i = 0; i < 25; i++) {
        switch (state) {
        case 0:
            s += i;
            state = mix(s) % 5;
            break;
        case 1:
            s ^= i << 3;
            state = 2 + (s & 1);
            continue;
        case 2:
            if (s & 8) {
                state = 0;
                break;
            }
            s++;
            state = 4;
            break;
        case 3:
            s = mix(s);
            state = s & 3;
            break;
        default:
            if (s % 5 == 0)
                return s;
            state = 1;
        }
        s *= 3;
    }
    return s;
}

/* Each lane to a depth of its own. */
APART u ackermann(u m, u n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
u k_recursion(u t) { return ackermann(t & 1 ? 2 : 1, t % 5); }
APART u odd(u n);
APART u even(u n) { return n == 0 ? 1 : odd(n - 1) + 1; }
APART u odd(u n) { return n == 0 ? 0 : even(n - 1) ^ 1; }
u k_mutual_recursion(u t) { return t & 1 ? even(t % 23) : odd(t % 19); }

static APART u loop(u x, u y)
{
    u s = 0;
    while (x > y) {
        if (x & 1)
            s += x;
        x -= (y & 3) + 1;
    }
    return s > 100 ? s : s + y;
}
u k_calls_under_divergence(u t)
{
    u h = hash(t), s = 1;
    if (h & 1)
        s = loop(h & 63, t & 15);
    else if (h & 2)
        s = loop(40, h & 31) + loop(t, 3);
    return s + loop(t, 9);
}

static u halves(u x) { u s = 0; while (x > 3) s += x >>= 1; return s; }
static u fibonacci(u n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static u sevenths(u x) { return fibonacci(x % 7); }
static u complement(u x) { return ~x; }
u (*const functions[4])(u) = {halves, mix, sevenths, complement};
u k_function_pointers(u t)
{
    u s = t;
    for (u i = 0; i < (t & 7); i++) {
        u x = mix(s + i);
        if (x & 16)
            s += functions[x & 3](s & 255);
        else
            s ^= functions[x >> 5 & 1](x & 127);
    }
    return s + functions[hash(t) & 3](t);
}

u k_sorted_array(u t)
{
    u a[16], s = 0;
    for (u i = 0; i < 16; i++)
        a[i] = mix(t * 16 + i);
    for (int i = 1; i < 16; i++) {
        u v = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
    for (u i = 0; i < 16; i++)
        s = s * 3 + a[i];
    return s;
}
static APART u on_the_stack(u a, u b, u c, u d, u e, u f, u g, u h, u i, u j)
{
    u s = a;
    if (i > j)
        s += b * c;
    while (j > i) {
        s += d + e;
        if (s & f)
            break;
        j--;
    }
    return s + g * h;
}
u k_arguments_on_the_stack(u t)
{
    u h = hash(t);
    return h & 1 ? on_the_stack(h, 2, 3, 4, 5, 6, 7, 8, h & 15, t & 15)
                 : on_the_stack(1, h, h, h, 5, 16, 7, 8, t & 15, h & 15);
}
/* More values than registers. */
u k_spilled(u t)
{
    u a = mix(t), b = mix(a), c = mix(b), d = mix(c), e = mix(d), f = mix(e), g = mix(f), h = mix(g);
    u i = mix(h), j = mix(i), k = mix(j), l = mix(k), m = mix(l), n = mix(m), o = mix(n), s = 0;
    while (a & 15) {
        if (b & 1)
            s += mix(c);
        else
            s ^= d;
        if ((e & 3) == 1 && mix(f) & 1)
            break;
        a--;
        b = b >> 1 | b << 31;
        e += g;
        s += h ^ i;
        if (s & 1) {
            s += j + k;
            if (s % 5 == 0)
                continue;
            s ^= l;
        }
        m += n;
    }
    return s + a + b + c + d + e + f + g + h + i + j + k + l + m + n + o;
}
/* Trips that are the same in all lanes, and such as differ though what counts them did not at first. */
u k_uniform_and_not(u t)
{
    u s = 0, i = 0;
    for (u j = 0; j < 16; j++) {
        u k = table[j];
        if (k > 4 && ((t ^ k) & 1))
            s += k;
        for (u l = 0; l < k; l++)
            s += l ^ t;
    }
    do
        i++;
    while (hash(t * 100 + i) % 8);
    for (u j = 0; j < i; j++) {
        s += table[j & 15];
        if (i == 5)
            s *= 2;
    }
    return s * 16 + i;
}
/* A value that is the same on each side of a branch, and not behind it. */
u k_chosen_by_a_branch(u t)
{
    u trips = 9, s = 0;
    if (hash(t) & 1)
        trips = 3;
    for (u j = 0; j < trips; j++)
        s += mix(j);
    return s;
}
/* Functions that a compiler calls. */
u k_wide_integers(u t)
{
    uint64_t a = (uint64_t)mix(t) << 32 | mix(t + 1), b = (uint64_t)mix(t + 2) << (t & 31) | 1;
    int64_t c = a, d = t & 1 ? -(int64_t)(mix(t) & 0xffff) - 1 : (int64_t)b;
    uint64_t s = a / b + a % b + (c / d) * 3 + (c % d) * 5;
    s += a << (t & 63);
    s ^= a >> (t + 7 & 63);
    s -= c >> (mix(t) & 63);
    s += __builtin_popcount(t) * 3 + __builtin_clz(t | 1) * 5 + __builtin_ctz(t | 64) * 7 + __builtin_ffs(t);
    return (u)s ^ (u)(s >> 32);
}
u k_wide_integers_and_floats(u t)
{
    uint64_t a = ((uint64_t)mix(t) << 32 | mix(t + 1)) >> (t & 63), c = (1ull << 40 | 1ull << 16) + (t & 3) - 1;
    union { float f; u bits; } of[4] = {{(float)a}, {(float)-(int64_t)(a >> 1)}, {(float)c}, {(float)(int64_t)(c << 20)}};
    uint64_t back = (uint64_t)(of[0].f * 0.5f) + (uint64_t)(int64_t)(of[1].f * 0.25f);
    return of[0].bits ^ of[1].bits * 3 ^ of[2].bits * 5 ^ of[3].bits * 7 ^ (u)back ^ (u)(back >> 32);
}
u k_newton(u t)
{
    union { float f; u bits; } g = {1.0f + t};
    float x = g.f;
    u n = 0;
    while (n < 40) {
        float y = 0.5f * (g.f + x / g.f);
        if (y == g.f || n > 20)
            break;
        g.f = y;
        n++;
    }
    return g.bits + n;
}
