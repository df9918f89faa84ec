/**
 * The class of a file, checked in this order:
 *
 * | class          | what                                              | held to tests first |
 * |----------------|---------------------------------------------------|---------------------|
 * | generated      | built, vendored or written by a tool              | no                  |
 * | test           | tests, and what only tests use                    | the tests           |
 * | neutral        | configuration, documentation, data, declarations  | no                  |
 * | implementation | everything else                                   | yes                 |
 */
export type FileClass = 'generated' | 'test' | 'neutral' | 'implementation'

export const fileClasses: readonly FileClass[] = ['generated', 'test', 'neutral', 'implementation']
