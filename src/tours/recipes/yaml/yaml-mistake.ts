/** The reason why a YAML file is refused, with its line. */
export class YamlMistake extends Error {
  override readonly name = 'YamlMistake'
  readonly line: number | null

  constructor(message: string, line: number | null, options?: ErrorOptions) {
    super(message, options)
    this.line = line
  }
}
