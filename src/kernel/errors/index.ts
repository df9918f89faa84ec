export { defineFailures, Failure, type FailureOptions, type Problem, UserError } from './failure.ts'
export { type KernelFailureCode, kernelFailure, kernelFailureTable } from './kernel-failures.ts'
