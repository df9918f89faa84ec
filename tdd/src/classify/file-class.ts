/**
 * The class of a file, checked in this order:
 *
 * | class          | files                                             | test-first rules    |
 * |----------------|---------------------------------------------------|---------------------|
 * | generated      | built, vendored or written by a tool              | no                  |
 * | test           | tests, and files that only tests use              | the tests           |
 * | neutral        | configuration, documentation, data, declarations  | no                  |
 * | implementation | all other files                                   | yes                 |
 */
export type FileClass = 'generated' | 'test' | 'neutral' | 'implementation'

export const fileClasses: readonly FileClass[] = ['generated', 'test', 'neutral', 'implementation']
