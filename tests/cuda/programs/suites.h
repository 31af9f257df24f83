/* A file in C uses the runtime. 0: all is right. */
#ifdef __cplusplus
extern "C"
#endif
int of_the_host(void);
