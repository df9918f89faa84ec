import { CopyButton } from '../../parts/CopyButton.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Section } from '../../parts/Section.tsx'
import type { CallDetails } from '../usage/usage-queries.ts'
import styles from './CallPage.module.css'

type Content = NonNullable<CallDetails['content']>
type Request = Content['request']
type Message = NonNullable<Request['messages']>[number]
type ToolCall = NonNullable<Message['tool_calls']>[number]
type Choice = NonNullable<NonNullable<Content['response']>['choices']>[number]

/** The items with their numbers, from 1: recorded content never changes its order. */
function numbered<Item>(items: readonly Item[]): { readonly item: Item; readonly number: number }[] {
  return items.map((item, index) => ({ item, number: index + 1 }))
}

/** The recorded request: messages or inputs, and parameters. */
export function Prompt({ request, truncated }: { request: Request; truncated: boolean }) {
  const { messages = [], omitted_messages: omitted = 0, inputs = [], parameters } = request
  return (
    <Section
      title="Prompt"
      note={truncated ? 'shortened: the recorded content reached a size limit' : undefined}
    >
      <div className={styles['content']}>
        {numbered(messages).map(({ item, number }) => (
          <div key={number} className={styles['entry']}>
            <MessageView message={item} number={number} />
            {number === 1 && omitted > 0 ? (
              <p className={styles['omitted']}>{omitted.toLocaleString()} messages are not recorded</p>
            ) : null}
          </div>
        ))}
        {numbered(inputs).map(({ item, number }) => (
          <TextBlock key={number} title={`Input ${number}`} text={item} />
        ))}
        {Object.keys(parameters).length === 0 ? null : (
          <div>
            <h3>Parameters</h3>
            <JsonView value={parameters} what="Parameters" />
          </div>
        )}
      </div>
    </Section>
  )
}

const roles: Readonly<Record<string, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool result',
}

function MessageView({ message, number }: { message: Message; number: number }) {
  const { role, name, content, thinking, tool_calls = [], tool_call_id: toolCallId, is_error } = message
  const details = [name, toolCallId, is_error === true ? 'error' : undefined].filter(
    (text) => text !== undefined,
  )
  const title = [roles[role] ?? role, ...details].join(' · ')
  const text = typeof content === 'string' ? content : content.map(describePart).join('\n')
  return (
    <>
      {thinking === undefined ? null : <Thinking text={thinking} what={`Reasoning, message ${number}`} />}
      {text === '' && tool_calls.length > 0 ? null : (
        <TextBlock title={title} text={text} what={`${title}, message ${number}`} />
      )}
      <ToolCalls calls={tool_calls} where={`message ${number}`} />
    </>
  )
}

function describePart({ text, media, filename }: Exclude<Message['content'], string>[number]): string {
  return text ?? [media, filename].filter((word) => word !== undefined).join(' ')
}

/** The recorded response. */
export function Answer({ response }: { response: Content['response'] }) {
  const choices = response?.choices ?? []
  const embeddings = response?.embeddings
  return (
    <Section title="Answer">
      <div className={styles['content']}>
        {response === null ? <p className={styles['omitted']}>No response arrived.</p> : null}
        {embeddings === undefined ? null : (
          <p className={styles['omitted']}>
            {embeddings.count.toLocaleString()} vectors of {embeddings.dimensions.toLocaleString()} dimensions
          </p>
        )}
        {numbered(choices).map(({ item, number }) => (
          <ChoiceView key={number} choice={item} number={choices.length > 1 ? number : undefined} />
        ))}
      </div>
    </Section>
  )
}

function ChoiceView({ choice, number }: { choice: Choice; number: number | undefined }) {
  const { text, thinking, tool_calls = [], finish_reason: finish } = choice
  const title = number === undefined ? 'Assistant' : `Choice ${number}`
  return (
    <div className={styles['entry']}>
      {thinking === undefined ? null : <Thinking text={thinking} what={`Reasoning, ${title}`} />}
      {text === '' && tool_calls.length > 0 ? null : (
        <TextBlock title={title} text={text} what={`Answer, ${title}`} />
      )}
      <ToolCalls calls={tool_calls} where="answer" />
      {finish === null ? null : <p className={styles['omitted']}>Finish reason: {finish}</p>}
    </div>
  )
}

function ToolCalls({ calls, where }: { calls: readonly ToolCall[]; where: string }) {
  return numbered(calls).map(({ item: { id, name, arguments: text }, number }) => (
    <TextBlock
      key={number}
      title={`Tool call · ${name}${id === '' ? '' : ` · ${id}`}`}
      text={text}
      what={`Tool call ${number} of ${where}`}
    />
  ))
}

/** The tools that the model could call. */
export function Tools({ tools }: { tools: NonNullable<Request['tools']> }) {
  if (tools.length === 0) return null
  return (
    <Section title="Tools" note={tools.length.toLocaleString()}>
      <div className={styles['content']}>
        {numbered(tools).map(({ item: { name, description, parameters }, number }) => (
          <details key={number} className={styles['fold']}>
            <summary>
              <code>{name}</code> {description ?? ''}
            </summary>
            <JsonView value={parameters} what={`Parameters of ${name}`} />
          </details>
        ))}
      </div>
    </Section>
  )
}

function Thinking({ text, what }: { text: string; what: string }) {
  return (
    <details className={styles['fold']}>
      <summary>Reasoning</summary>
      <TextBlock text={text} what={what} />
    </details>
  )
}

interface TextBlockProps {
  readonly title?: string
  readonly text: string
  /** The accessible name, where the title is not unique on the page. */
  readonly what?: string
}

/** A preformatted text with its own scroll area. */
function TextBlock({ title, text, what = title ?? 'Text' }: TextBlockProps) {
  return (
    <div className={styles['block']}>
      {title === undefined ? null : <h3>{title}</h3>}
      <div className={styles['frame']}>
        <div className={styles['copy']}>
          <CopyButton text={text} what={what} />
        </div>
        {/* Long texts scroll, and a scrollable region must be reachable by keyboard. */}
        <pre className={styles['text']} tabIndex={0} role="region" aria-label={what}>
          {text === '' ? '(empty)' : text}
        </pre>
      </div>
    </div>
  )
}
