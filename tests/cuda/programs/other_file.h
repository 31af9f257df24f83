// Each of the two files has kernels, and a variable of its own that is called `table`. 0: all is right.
int here();
int there();
