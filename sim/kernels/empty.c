/* Start-up and exit alone. */
int main(void)
{
    return 0;
}
