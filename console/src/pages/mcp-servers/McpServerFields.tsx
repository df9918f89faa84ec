import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import type { Submission } from '../../parts/use-submission.ts'
import styles from './McpServerFields.module.css'
import type { McpServerDraft } from './mcp-server-draft.ts'

interface McpServerFieldsProps {
  /** One that is new is begun with its name; of one that is there, its state is read first. */
  readonly isNew?: boolean
  readonly draft: McpServerDraft
  /** Whether the operator lets this platform run programs. */
  readonly allowsPrograms: boolean
  readonly onChange: (draft: McpServerDraft) => void
  readonly problemOf: Submission['problemOf']
}

/** The names the fields have in the request, for what the platform says about them. */
export const serverFields = [
  'name',
  'transport.url',
  'transport.headers',
  'transport.command',
  'transport.args',
  'transport.env',
] as const

const keptHeaders = 'A name without a value keeps the one that is stored, while the host stays the same.'
const keptVariables = 'A name without a value keeps the one that is stored.'

/** What a server is called, and how it is reached. */
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
          aria-label="How it is reached"
          value={draft.type}
          onChange={(type) => change({ type: type === 'stdio' ? 'stdio' : 'http' })}
          data={[
            { value: 'http', label: 'An address (HTTP)' },
            {
              value: 'stdio',
              label: 'A program (stdio)',
              disabled: !allowsPrograms && draft.type !== 'stdio',
            },
          ]}
        />
        {allowsPrograms ? null : (
          <p className={styles['note']}>
            Programs of the platform’s machine can be servers once its operator sets TUTTI_MCP_STDIO=true.
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
        label="Address"
        description="Where it speaks streamable HTTP."
        placeholder="https://tools.example/mcp"
        inputMode="url"
        value={draft.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={problemOf('transport.url')}
      />
      <Textarea
        label="Headers"
        description={`One on each line, such as Authorization: Bearer …. They are kept sealed and not shown again. ${isNew ? '' : keptHeaders}`}
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
        description="It is started for each look, and ended after it."
        placeholder="npx"
        spellCheck={false}
        value={draft.command}
        onChange={({ currentTarget }) => change({ command: currentTarget.value })}
        error={problemOf('transport.command')}
      />
      <Textarea
        label="Arguments"
        description="One on each line."
        autosize
        minRows={2}
        spellCheck={false}
        value={draft.args}
        onChange={({ currentTarget }) => change({ args: currentTarget.value })}
        error={problemOf('transport.args')}
      />
      <Textarea
        label="Variables"
        description={`One on each line, such as API_TOKEN=…. They are kept sealed and not shown again. ${isNew ? '' : keptVariables}`}
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
