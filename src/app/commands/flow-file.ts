import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Problem, UserError } from '#kernel/errors'

const maxFileBytes = 1024 * 1024

/** The content of a flow file: a definition, or a request body of the API, which contains one. */
export interface FlowFile {
  readonly name: string
  readonly definition: unknown
  readonly metadata: unknown
}

/** Reads a flow file; `-` is standard input. */
export async function readFlowFile(file: string): Promise<FlowFile> {
  const content = parse(await read(file), file)
  const isWrapped = typeof content === 'object' && content !== null && 'flow_definition' in content
  if (!isWrapped) return { name: nameOf(file), definition: content, metadata: undefined }
  return {
    name: nameOf(file),
    definition: content.flow_definition,
    metadata: 'metadata' in content ? content.metadata : undefined,
  }
}

export function printProblems(problems: readonly Problem[], print: (line: string) => void): void {
  for (const { path, message } of problems) print(`  ${path === '' ? '' : `${path}: `}${message}`)
}

async function read(file: string): Promise<string> {
  try {
    const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
    if (Buffer.byteLength(content) <= maxFileBytes) return content
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UserError(`${file} cannot be read (${code}).`, { cause: error })
  }
  throw new UserError(`${nameOf(file)} is larger than 1 MB.`)
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(`${nameOf(file)} is not JSON: ${reason}`, { cause: error })
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file
}
