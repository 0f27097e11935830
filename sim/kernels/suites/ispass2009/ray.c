/* The picture that the kernel of RAY of ISPASS-2009 should draw, in the plainest way. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

static double ray_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void ray_normalize(double *v)
{
    double length = sqrt(ray_dot(v, v));

    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

/* A point of a ray. */
static void ray_point(const double *from, const double *way, double distance, double *point)
{
    for (int i = 0; i < 3; i++)
        point[i] = from[i] + distance * way[i];
}

/* An object has its centre, its radius, its color, and whether it is a plane: then it is all points as high as the centre. */
static bool ray_is_plane(const float *object)
{
    unsigned plane;

    memcpy(&plane, object + 8, sizeof plane);
    return plane;
}

/* How far an object is, or 0 if the ray misses it. */
static double ray_distance(const float *object, const double *from, const double *way)
{
    double to[3], along, inside, squares = object[3] * object[3];

    for (int i = 0; i < 3; i++)
        to[i] = object[i] - from[i];
    if (ray_is_plane(object))
        return fabs(way[1]) < 0.0001 ? 0 : fmax(0, to[1] / way[1]);
    along = ray_dot(to, way);
    inside = squares - (ray_dot(to, to) - along * along);
    if (inside < 0 || (along < 0 && ray_dot(to, to) > squares))
        return 0;
    return ray_dot(to, to) > squares ? along - sqrt(inside) : along + sqrt(inside);
}

/* The first object that a ray meets, or NULL, and how far it is. */
static const float *ray_nearest(const float *objects, int count, int size, const double *from, const double *way,
                                double *distance)
{
    const float *nearest = NULL;

    *distance = 10000;
    for (const float *object = objects; object < objects + count * size; object += size) {
        double here = ray_distance(object, from, way);

        if (here > 0 && here < *distance) {
            *distance = here;
            nearest = object;
        }
    }
    return nearest;
}

/* Adds to a color a share of what is seen at a point of an object, in the direction `back`: a twentieth of the color of the
 * object; and if nothing is between the point and the light, more of it, and white where the light is thrown back. */
static void ray_shade(const float *objects, int count, int size, const float *object, const double *point, const double *back,
                      const double *normal, double share, double *color)
{
    double to_light[3], from[3], half[3], distance, facing, shine = 0;

    for (int i = 0; i < 3; i++)
        to_light[i] = 10 - point[i];
    ray_normalize(to_light);
    ray_point(point, to_light, 0.0001, from);
    facing = fmax(0, ray_dot(normal, to_light));
    if (ray_nearest(objects, count, size, from, to_light, &distance))
        facing = 0;
    if (facing > 0) {
        ray_point(to_light, back, 1, half);
        ray_normalize(half);
        shine = 0.8 * pow(fmax(0, ray_dot(normal, half)), 50);
    }
    for (int i = 0; i < 4; i++)
        color[i] += share * (object[4 + i] * (0.05 + 0.3 * facing) + (i < 3 ? shine : 0));
}

/* The ray of a pixel is thrown back by up to five objects, one after the other. The share of each is 0.8 of that of the one
 * before. */
void ray_picture(const float *view, const float *objects, int count, int size, double away, int width, int height,
                 unsigned char *picture)
{
    double pixel = 2.0 / (width < height ? width : height);

    for (int at = 0; at < width * height; at++) {
        double from[3] = {view[3], view[7], view[11]}, way[3], color[4] = {0}, share = 1;

        for (int i = 0; i < 3; i++)
            way[i] = view[i] * away + view[8 + i] * (at % width - width * 0.5) * pixel +
                     view[4 + i] * (at / width - height * 0.5) * pixel;
        ray_normalize(way);
        for (int depth = 0; depth < 5; depth++, share *= 0.8) {
            double point[3], back[3], normal[3] = {0, 1, 0}, distance;
            const float *object = ray_nearest(objects, count, size, from, way, &distance);

            if (!object)
                break;
            ray_point(from, way, distance, point);
            for (int i = 0; i < 3; i++) {
                back[i] = -way[i];
                normal[i] = ray_is_plane(object) ? normal[i] : point[i] - object[i];
            }
            ray_normalize(normal);
            ray_shade(objects, count, size, object, point, back, normal, share, color);
            ray_point(way, normal, 2 * ray_dot(normal, back), way);
            ray_normalize(way);
            ray_point(point, way, 0.0001, from);
        }
        if (share == 1)
            color[3] = 1;
        for (int i = 0; i < 4; i++)
            picture[4 * at + i] = 255 * fmin(1, fmax(0, color[i]));
    }
}
