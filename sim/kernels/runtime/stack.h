/* The stack of each thread has 2^SIMT_STACK_LOG2 bytes: 8 KB (docs/ISA.md, section 6), or more if `cc` finds that functions
 * need more. */
#ifndef SIMT_STACK_LOG2
#define SIMT_STACK_LOG2 13
#endif
