/* Arithmetic with vectors of two to four numbers, as the header of this name has it that CUDA's samples come with. */
#ifndef SIMT_HELPER_MATH_H
#define SIMT_HELPER_MATH_H

typedef unsigned uint;
typedef unsigned short ushort;

/* Of a vector the type of its components, and how many there are; of nothing else. */
template <class V> struct simt_vector {};
#define SIMT_OF_VECTOR(type, name)                                                              \
    template <> struct simt_vector<name##2> { using component = type; enum { length = 2 }; };   \
    template <> struct simt_vector<name##3> { using component = type; enum { length = 3 }; };   \
    template <> struct simt_vector<name##4> { using component = type; enum { length = 4 }; };
SIMT_OF_VECTOR(float, float)
SIMT_OF_VECTOR(int, int)
SIMT_OF_VECTOR(unsigned, uint)

template <class V> using simt_component = typename simt_vector<V>::component;
template <class V> using simt_if_vector = std::enable_if_t<(sizeof(simt_component<V>) > 0), V>;
/* Functions of floating-point numbers alone. */
template <class V, class R = V> using simt_if_float = std::enable_if_t<std::is_floating_point_v<simt_component<V>>, R>;

/* A vector of what `of` gives for each component of vectors of as many. */
template <class V, class F, class... A> static inline V simt_each(F of, A... a)
{
    if constexpr (simt_vector<V>::length == 2)
        return {of(a.x...), of(a.y...)};
    else if constexpr (simt_vector<V>::length == 3)
        return {of(a.x...), of(a.y...), of(a.z...)};
    else
        return {of(a.x...), of(a.y...), of(a.z...), of(a.w...)};
}

/* Of two vectors, or of one and a number, whatever arithmetic type that has at first. */
#define SIMT_OF_VECTORS(name, expression)                                                       \
    template <class V> static inline V name(V a, simt_if_vector<V> b) \
    {                                                                                           \
        return simt_each<V>([](auto x, auto y) { return expression; }, a, b);                   \
    }
#define SIMT_OF_NUMBERS(name, expression)                                                       \
    template <class V> static inline V name(V a, simt_component<V> y)                           \
    {                                                                                           \
        return simt_each<V>([y](auto x) { return expression; }, a);                             \
    }                                                                                           \
    template <class V> static inline V name(simt_component<V> x, V b)                           \
    {                                                                                           \
        return simt_each<V>([x](auto y) { return expression; }, b);                             \
    }
#define SIMT_OPERATOR(op)                                                                       \
    SIMT_OF_VECTORS(operator op, x op y)                                                        \
    SIMT_OF_NUMBERS(operator op, x op y)                                                        \
    template <class V> static inline void operator op##=(V &a, simt_if_vector<V> b) { a = a op b; } \
    template <class V> static inline void operator op##=(V &a, simt_component<V> b) { a = a op b; }
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
template <class V, class = simt_component<V>> static inline V operator-(V a)
{
    return simt_each<V>([](auto x) { return -x; }, a);
}

SIMT_OF_VECTORS(min, x < y ? x : y)
SIMT_OF_VECTORS(max, x < y ? y : x)
SIMT_OF_VECTORS(fminf, fminf(x, y))
SIMT_OF_VECTORS(fmaxf, fmaxf(x, y))
SIMT_OF_VECTORS(fmodf, fmodf(x, y))

static inline float clamp(float x, float low, float high) { return fmaxf(low, fminf(x, high)); }
static inline int clamp(int x, int low, int high) { return max(low, min(x, high)); }
static inline uint clamp(uint x, uint low, uint high) { return max(low, min(x, high)); }
template <class V> static inline V clamp(V a, simt_component<V> low, simt_component<V> high)
{
    return simt_each<V>([=](auto x) { return clamp(x, low, high); }, a);
}
template <class V> static inline V clamp(V a, simt_if_vector<V> low, V high)
{
    return simt_each<V>([](auto x, auto l, auto h) { return clamp(x, l, h); }, a, low, high);
}

static inline float lerp(float a, float b, float t) { return a + t * (b - a); }
template <class V> static inline simt_if_float<V> lerp(V a, V b, float t) { return a + t * (b - a); }
static inline float fracf(float x) { return x - floorf(x); }
template <class V> static inline simt_if_float<V> fracf(V a) { return simt_each<V>([](float x) { return fracf(x); }, a); }
template <class V> static inline simt_if_float<V> floorf(V a) { return simt_each<V>([](float x) { return floorf(x); }, a); }
template <class V> static inline simt_if_float<V> floor(V a) { return floorf(a); }
template <class V> static inline simt_if_float<V> fabs(V a) { return simt_each<V>([](float x) { return fabsf(x); }, a); }
template <class V, class = simt_component<V>> static inline V abs(V a)
{
    return simt_each<V>([](auto x) { return x < 0 ? -x : x; }, a);
}

template <class V> static inline simt_component<V> dot(V a, V b)
{
    V c = a * b;

    if constexpr (simt_vector<V>::length == 2)
        return c.x + c.y;
    else if constexpr (simt_vector<V>::length == 3)
        return c.x + c.y + c.z;
    else
        return c.x + c.y + c.z + c.w;
}
template <class V> static inline simt_if_float<V, float> length(V a) { return sqrtf(dot(a, a)); }
template <class V> static inline simt_if_float<V> normalize(V a) { return a * (1.0f / length(a)); }
/* Of a direction at a plane with that normal. */
template <class V> static inline simt_if_float<V> reflect(V in, V normal) { return in - 2.0f * normal * dot(normal, in); }
static inline float3 cross(float3 a, float3 b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float smoothstep(float a, float b, float x)
{
    float t = clamp((x - a) / (b - a), 0.0f, 1.0f);

    return t * t * (3.0f - 2.0f * t);
}
template <class V> static inline simt_if_float<V> smoothstep(V a, V b, V c)
{
    return simt_each<V>([](float l, float h, float x) { return smoothstep(l, h, x); }, a, b, c);
}

/* Vectors made of one number, of shorter and longer ones, and of others' components. */
#define SIMT_MAKE_VECTORS(type, name, other1, other2)                                           \
    static inline name##2 make_##name##2(type x) { return {x, x}; }                             \
    static inline name##2 make_##name##2(name##3 a) { return {a.x, a.y}; }                      \
    static inline name##3 make_##name##3(type x) { return {x, x, x}; }                          \
    static inline name##3 make_##name##3(name##2 a, type z = 0) { return {a.x, a.y, z}; }       \
    static inline name##3 make_##name##3(name##4 a) { return {a.x, a.y, a.z}; }                 \
    static inline name##4 make_##name##4(type x) { return {x, x, x, x}; }                       \
    static inline name##4 make_##name##4(name##3 a, type w = 0) { return {a.x, a.y, a.z, w}; }  \
    SIMT_MAKE_OF_OTHER(type, name, other1)                                                      \
    SIMT_MAKE_OF_OTHER(type, name, other2)
#define SIMT_MAKE_OF_OTHER(type, name, other)                                                   \
    static inline name##2 make_##name##2(other##2 a) { return {(type)a.x, (type)a.y}; }         \
    static inline name##3 make_##name##3(other##3 a) { return {(type)a.x, (type)a.y, (type)a.z}; } \
    static inline name##4 make_##name##4(other##4 a) { return {(type)a.x, (type)a.y, (type)a.z, (type)a.w}; }
SIMT_MAKE_VECTORS(float, float, int, uint)
SIMT_MAKE_VECTORS(int, int, uint, float)
SIMT_MAKE_VECTORS(unsigned, uint, int, float)

#endif
