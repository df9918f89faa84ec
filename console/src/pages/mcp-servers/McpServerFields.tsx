import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import type { Submission } from '../../parts/use-submission.ts'
import styles from './McpServerFields.module.css'
import type { McpServerDraft } from './mcp-server-draft.ts'

interface McpServerFieldsProps {
  /** The form of a new server focuses the name; that of an existing one does not, because its state is read first. */
  readonly isNew?: boolean
  readonly draft: McpServerDraft
  /** Whether the operator allows servers that run as local programs. */
  readonly allowsPrograms: boolean
  readonly onChange: (draft: McpServerDraft) => void
  readonly problemOf: Submission['problemOf']
}

/** The names of the fields in the request, to match the problems the server reports. */
export const serverFields = [
  'name',
  'transport.url',
  'transport.headers',
  'transport.command',
  'transport.args',
  'transport.env',
] as const

const keptHeaders = 'A name without a value keeps the stored value if the host stays the same.'
const keptVariables = 'A name without a value keeps the stored value.'

/** The name and the transport of a server. */
export function McpServerFields(props: McpServerFieldsProps) {
  const { draft, allowsPrograms, onChange, problemOf, isNew = false } = props
  const change = (part: Partial<McpServerDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      <TextInput
        data-autofocus={isNew || undefined}
        label="Name"
        placeholder="files"
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={problemOf('name')}
      />
      <div className={styles['kind']}>
        <SegmentedControl
          size="xs"
          aria-label="Transport"
          value={draft.type}
          onChange={(type) => change({ type: type === 'stdio' ? 'stdio' : 'http' })}
          data={[
            { value: 'http', label: 'HTTP' },
            {
              value: 'stdio',
              label: 'Program (stdio)',
              disabled: !allowsPrograms && draft.type !== 'stdio',
            },
          ]}
        />
        {allowsPrograms ? null : (
          <p className={styles['note']}>
            Programs on the server are available when the operator sets TUTTI_MCP_STDIO=true.
          </p>
        )}
      </div>
      {draft.type === 'http' ? (
        <HttpFields draft={draft} change={change} problemOf={problemOf} isNew={isNew} />
      ) : (
        <ProgramFields draft={draft} change={change} problemOf={problemOf} isNew={isNew} />
      )}
    </>
  )
}

interface PartProps {
  readonly draft: McpServerDraft
  readonly change: (part: Partial<McpServerDraft>) => void
  readonly problemOf: Submission['problemOf']
  readonly isNew: boolean
}

function HttpFields({ draft, change, problemOf, isNew }: PartProps) {
  return (
    <>
      <TextInput
        label="URL"
        description="Streamable HTTP endpoint of the server."
        placeholder="https://tools.example/mcp"
        inputMode="url"
        value={draft.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={problemOf('transport.url')}
      />
      <Textarea
        label="Headers"
        description={`One per line, such as Authorization: Bearer …. Stored encrypted and never shown again. ${isNew ? '' : keptHeaders}`}
        autosize
        minRows={2}
        spellCheck={false}
        value={draft.headers}
        onChange={({ currentTarget }) => change({ headers: currentTarget.value })}
        error={problemOf('transport.headers')}
      />
    </>
  )
}

function ProgramFields({ draft, change, problemOf, isNew }: PartProps) {
  return (
    <>
      <TextInput
        label="Program"
        description="Started for each check and ended after it."
        placeholder="npx"
        spellCheck={false}
        value={draft.command}
        onChange={({ currentTarget }) => change({ command: currentTarget.value })}
        error={problemOf('transport.command')}
      />
      <Textarea
        label="Arguments"
        description="One per line."
        autosize
        minRows={2}
        spellCheck={false}
        value={draft.args}
        onChange={({ currentTarget }) => change({ args: currentTarget.value })}
        error={problemOf('transport.args')}
      />
      <Textarea
        label="Environment variables"
        description={`One per line, such as API_TOKEN=…. Stored encrypted and never shown again. ${isNew ? '' : keptVariables}`}
        autosize
        minRows={2}
        spellCheck={false}
        value={draft.env}
        onChange={({ currentTarget }) => change({ env: currentTarget.value })}
        error={problemOf('transport.env')}
      />
    </>
  )
}
