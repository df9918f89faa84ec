export { Failure, type FailureOptions, failuresOf, type Problem, UserMistake } from './failure.ts'
export { type KernelFailureCode, kernelFailure, kernelFailureTable } from './kernel-failures.ts'
