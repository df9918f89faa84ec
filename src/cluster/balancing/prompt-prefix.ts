import { hashPromptStart } from '#kernel/native-api'

type Fields = Readonly<Record<string, unknown>>

interface PromptFields {
  /** The field of the system prompt beside the messages. */
  readonly system?: string
  /** The field of the prompt: a text, or messages. */
  readonly prompt: string
}

const promptFields: Readonly<Record<string, PromptFields>> = {
  '/api/chat': { prompt: 'messages' },
  '/api/generate': { system: 'system', prompt: 'prompt' },
  '/v1/chat/completions': { prompt: 'messages' },
  '/v1/completions': { prompt: 'prompt' },
  '/v1/responses': { system: 'instructions', prompt: 'input' },
  '/v1/messages': { system: 'system', prompt: 'messages' },
}

const systemRoles: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** The hash of the start of the prompt of a request; undefined for a request without one, such as for embeddings. */
export function prefixOf(path: string, model: string, body: Fields): string | undefined {
  const fields = promptFields[path]
  if (fields === undefined) return undefined
  const { [fields.prompt]: prompt } = body
  const messages: readonly unknown[] = Array.isArray(prompt) ? prompt : []
  const contentOf = (suits: (role: unknown) => boolean) =>
    messages.map((message) => Object(message) as Fields).find(({ role }) => suits(role))?.['content']
  const system = textOf(fields.system === undefined ? undefined : body[fields.system])
  const start = {
    system: system ?? textOf(contentOf((role) => systemRoles.has(role))),
    user: textOf(messages.some(isMessage) ? contentOf((role) => role === 'user') : prompt),
  }
  return start.system === undefined && start.user === undefined
    ? undefined
    : hashPromptStart({ model, ...start })
}

function isMessage(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'role' in item
}

/** The text of a prompt or of the parts of a content; undefined without any. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content === '' ? undefined : content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part: unknown) =>
    typeof part === 'string' ? part : (Object(part) as { readonly text?: unknown }).text,
  )
  const text = texts.filter((item) => typeof item === 'string').join('\n')
  return text === '' ? undefined : text
}
