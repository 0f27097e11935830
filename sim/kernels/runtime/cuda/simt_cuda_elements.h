/* What pointers point to, in the same words on the core and on the host of a launch description, which compares the two:
 * double and size_t have other sizes there than here. */
#ifndef SIMT_CUDA_ELEMENTS_H
#define SIMT_CUDA_ELEMENTS_H

/* Of a type: pointer, class, floating-point number, bool, or integer. */
template <class T>
constexpr char simt_kind = std::is_pointer_v<std::remove_cv_t<T>> ? 'p' : __is_class(T) || __is_union(T) ? 's'
    : std::is_floating_point_v<T> ? 'f' : __is_same(std::remove_cv_t<T>, bool) ? 'b' : 'i';

/* Of void, and of classes that nobody defines, the bytes are 0. Pointers have 4, as on the core. */
template <class T, class = void> struct simt_single {
    static constexpr char kind = 'v';
    static constexpr unsigned bytes = 0;
};
template <class T> struct simt_single<T, std::enable_if_t<!__is_same(std::remove_cv_t<T>, void) && sizeof(T) != 0>> {
    static constexpr char kind = simt_kind<T>;
    static constexpr unsigned bytes = kind == 'p' ? 4 : sizeof(T);
};

/* Of arrays their elements count. */
template <class T> struct simt_element : simt_single<T> {};
template <class T, unsigned long n> struct simt_element<T[n]> : simt_element<T> {};
template <class T> struct simt_element<T[]> : simt_element<T> {};

#endif
