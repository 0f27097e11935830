/* What kernels use of C++'s library: the names that it has in std. */
#ifndef SIMT_CUDA_STANDARD_H
#define SIMT_CUDA_STANDARD_H

namespace std {

using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t;
using ::size_t, ::ptrdiff_t, ::intptr_t, ::uintptr_t;
using nullptr_t = decltype(nullptr);

using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atan2, ::atanh, ::cbrt, ::ceil, ::copysign, ::cos, ::cosh;
using ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::fabs, ::fdim, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::hypot;
using ::isfinite, ::isinf, ::isnan, ::log, ::log10, ::log1p, ::log2, ::max, ::min, ::pow, ::rint, ::round, ::signbit;
using ::sin, ::sinh, ::sqrt, ::tan, ::tanh, ::trunc;

using ::memcpy, ::memset;
template <class From, class To> constexpr To copy(From first, From last, To to)
{
    for (; first != last; ++first, ++to)
        *to = *first;
    return to;
}
template <class To, class T> constexpr void fill(To first, To last, const T &value)
{
    for (; first != last; ++first)
        *first = value;
}
template <class T, size_t count> constexpr T *begin(T (&all)[count]) { return all; }
template <class T, size_t count> constexpr T *end(T (&all)[count]) { return all + count; }

template <class T> constexpr void swap(T &a, T &b)
{
    T before = a;

    a = b;
    b = before;
}

/* Classes that kernels use say how they are printed, and kernels do not print so. */
struct ostream {
    template <class T> __attribute__((error("kernels print by printf(), not by streams"))) ostream &operator<<(const T &);
};

template <bool is> struct bool_constant { static constexpr bool value = is; };
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class A, class B> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;
template <bool, class A, class> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <bool is, class A, class B> using conditional_t = typename conditional<is, A, B>::type;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool is, class T = void> using enable_if_t = typename enable_if<is, T>::type;

template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T &> { using type = T; };
template <class T> struct remove_reference<T &&> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_cv { using type = remove_const_t<remove_volatile_t<T>>; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> T &&declval() noexcept;
template <class T> constexpr remove_reference_t<T> &&move(T &&x) noexcept { return static_cast<remove_reference_t<T> &&>(x); }
template <class T> constexpr T &&forward(remove_reference_t<T> &x) noexcept { return static_cast<T &&>(x); }
template <class T> constexpr T &&forward(remove_reference_t<T> &&x) noexcept { return static_cast<T &&>(x); }
template <class T, class U = T> constexpr T exchange(T &x, U &&by)
{
    T before = move(x);

    x = forward<U>(by);
    return before;
}

template <class A, class B> struct pair {
    using first_type = A;
    using second_type = B;
    A first{};
    B second{};

    constexpr pair() = default;
    constexpr pair(const A &a, const B &b) : first(a), second(b) {}
};
template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(move(a), move(b)); }
template <class A, class B> constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <class A, class B> constexpr bool operator!=(const pair<A, B> &a, const pair<A, B> &b) { return !(a == b); }
template <class A, class B> constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

template <class A, class B> struct common_type { using type = decltype(true ? declval<A>() : declval<B>()); };
template <class A, class B> using common_type_t = remove_cv_t<remove_reference_t<typename common_type<A, B>::type>>;

template <class T> constexpr bool is_floating_point_v = is_same_v<remove_cv_t<T>, float>;
template <class T> constexpr bool is_pointer_v = false;
template <class T> constexpr bool is_pointer_v<T *> = true;
template <class> struct numeric_limits;
template <class T, class = void> constexpr bool is_arithmetic_v = false;
/* Arithmetic are the types that have limits. */
template <class T> constexpr bool is_arithmetic_v<T, enable_if_t<(sizeof(numeric_limits<T>) > 0)>> = true;
template <class T> constexpr bool is_integral_v = is_arithmetic_v<remove_cv_t<T>> && !is_floating_point_v<T>;
template <class T, bool = is_arithmetic_v<T>> constexpr bool is_signed_v = false;
template <class T> constexpr bool is_signed_v<T, true> = T(-1) < T(0);
template <class T> constexpr bool is_unsigned_v = is_integral_v<T> && !is_signed_v<T>;
template <class T> struct is_floating_point : bool_constant<is_floating_point_v<T>> {};
template <class T> struct is_pointer : bool_constant<is_pointer_v<remove_cv_t<T>>> {};
template <class T> struct is_arithmetic : bool_constant<is_arithmetic_v<remove_cv_t<T>>> {};
template <class T> struct is_integral : bool_constant<is_integral_v<T>> {};
template <class T> struct is_signed : bool_constant<is_signed_v<remove_cv_t<T>>> {};
template <class T> struct is_unsigned : bool_constant<is_unsigned_v<remove_cv_t<T>>> {};

template <> struct numeric_limits<float> {
    static constexpr float min() { return FLT_MIN; }
    static constexpr float max() { return FLT_MAX; }
    static constexpr float lowest() { return -FLT_MAX; }
    static constexpr float epsilon() { return FLT_EPSILON; }
    static constexpr float infinity() { return __builtin_inff(); }
    static constexpr float quiet_NaN() { return __builtin_nanf(""); }
};
#define SIMT_LIMITS(type, least, most)                                          \
    template <> struct numeric_limits<type> {                                   \
        static constexpr type min() { return least; }                           \
        static constexpr type max() { return most; }                            \
        static constexpr type lowest() { return least; }                        \
    };
SIMT_LIMITS(bool, false, true)
SIMT_LIMITS(char, CHAR_MIN, CHAR_MAX)
SIMT_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
SIMT_LIMITS(unsigned char, 0, UCHAR_MAX)
SIMT_LIMITS(short, SHRT_MIN, SHRT_MAX)
SIMT_LIMITS(unsigned short, 0, USHRT_MAX)
SIMT_LIMITS(int, INT_MIN, INT_MAX)
SIMT_LIMITS(unsigned, 0, UINT_MAX)
SIMT_LIMITS(long, LONG_MIN, LONG_MAX)
SIMT_LIMITS(unsigned long, 0, ULONG_MAX)
SIMT_LIMITS(long long, LLONG_MIN, LLONG_MAX)
SIMT_LIMITS(unsigned long long, 0, ULLONG_MAX)

} /* namespace std */

#endif
