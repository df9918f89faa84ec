export { Failure, type FailureOptions, type FailureSpec, failuresOf, type Problem } from './failure.ts'
export { type KernelFailureCode, kernelFailure, kernelFailureTable } from './kernel-failures.ts'
export { UserMistake } from './user-mistake.ts'
