/** Why a YAML file is not read, and where. */
export class YamlMistake extends Error {
  override readonly name = 'YamlMistake'
  readonly line: number | null

  constructor(message: string, line: number | null, options?: ErrorOptions) {
    super(message, options)
    this.line = line
  }
}
