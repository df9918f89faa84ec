import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useMay } from '../../api/use-may.ts'
import type { Submission } from '../../parts/use-submission.ts'
import { type ConnectionDraft, type EntryKind, valueFields } from './connection-draft.ts'
import { kindTitles, valueTitles } from './connection-words.ts'

interface ConnectionFieldsProps {
  /** The form of a new one has a name and a kind, which never change later. */
  readonly isNew?: boolean
  readonly draft: ConnectionDraft
  readonly onChange: (draft: ConnectionDraft) => void
  readonly problemOf: Submission['problemOf']
}

interface PartProps extends Omit<ConnectionFieldsProps, 'isNew' | 'onChange'> {
  readonly change: (part: Partial<ConnectionDraft>) => void
}

/** The names of the fields in the request, to match the problems the server reports. */
export const connectionFields = [
  'name',
  'value',
  'credentials',
  'settings.username',
  'settings.name',
  'settings.token_url',
  'settings.client_id',
  'settings.scopes',
  'settings.audience',
  'allowed_hosts',
  'shared',
] as const

const kinds = ['bearer', 'basic', 'api_key', 'oauth2_client_credentials'] as const

/** All fields of a secret or connection. */
export function ConnectionFields({ isNew = false, draft, onChange, problemOf }: ConnectionFieldsProps) {
  const change = (part: Partial<ConnectionDraft>) => onChange({ ...draft, ...part })
  const { kind } = draft
  return (
    <>
      {isNew ? (
        <TextInput
          data-autofocus
          label="Name"
          description={
            kind === 'secret'
              ? 'Flows write {{secrets.name}}. Lower-case letters, digits and underscores.'
              : 'Lower-case letters, digits and underscores.'
          }
          placeholder={kind === 'secret' ? 'github_token' : 'crm'}
          spellCheck={false}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={problemOf('name')}
        />
      ) : null}
      {isNew && kind !== 'secret' ? (
        <NativeSelect
          label="Kind"
          value={kind}
          data={kinds.map((value) => ({ value, label: kindTitles[value] }))}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value as EntryKind })}
        />
      ) : null}
      <SettingsFields draft={draft} change={change} problemOf={problemOf} />
      <PasswordInput
        label={valueTitles[kind]}
        description={
          isNew
            ? 'At least 8 characters. Stored encrypted and never shown again.'
            : 'Leave empty to keep the stored one. A further host needs it again.'
        }
        autoComplete="off"
        spellCheck={false}
        value={draft.value}
        onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        error={
          problemOf('value') ?? problemOf(`credentials.${valueFields[kind]}`) ?? problemOf('credentials')
        }
      />
      <Textarea
        label="Allowed hosts"
        description={`One per line, such as api.example.com or *.example.com: the ${kind === 'secret' ? 'value goes' : 'credentials go'} nowhere else, and over https only. Write http://host:port for a host without https in a network that you trust.`}
        placeholder="api.example.com"
        autosize
        minRows={2}
        spellCheck={false}
        value={draft.hosts}
        onChange={({ currentTarget }) => change({ hosts: currentTarget.value })}
        error={problemOf('allowed_hosts')}
      />
      <SharedField draft={draft} change={change} problemOf={problemOf} />
    </>
  )
}

function SettingsFields({ draft, change, problemOf }: PartProps) {
  if (draft.kind === 'basic') {
    return (
      <TextInput
        label="User name"
        autoComplete="off"
        spellCheck={false}
        value={draft.username}
        onChange={({ currentTarget }) => change({ username: currentTarget.value })}
        error={problemOf('settings.username')}
      />
    )
  }
  if (draft.kind === 'api_key') {
    return (
      <>
        <NativeSelect
          label="Sent in"
          value={draft.keyIn}
          data={[
            { value: 'header', label: 'Header' },
            { value: 'query', label: 'Query parameter' },
          ]}
          onChange={({ currentTarget }) =>
            change({ keyIn: currentTarget.value === 'query' ? 'query' : 'header' })
          }
        />
        <TextInput
          label={draft.keyIn === 'query' ? 'Parameter name' : 'Header name'}
          placeholder={draft.keyIn === 'query' ? 'api_key' : 'X-Api-Key'}
          spellCheck={false}
          value={draft.keyName}
          onChange={({ currentTarget }) => change({ keyName: currentTarget.value })}
          error={problemOf('settings.name')}
        />
      </>
    )
  }
  return draft.kind === 'oauth2_client_credentials' ? (
    <OAuthFields draft={draft} change={change} problemOf={problemOf} />
  ) : null
}

function OAuthFields({ draft, change, problemOf }: PartProps) {
  return (
    <>
      <TextInput
        label="Token URL"
        description="With https, or with the http:// host among the allowed hosts."
        placeholder="https://login.example.com/oauth/token"
        inputMode="url"
        spellCheck={false}
        value={draft.tokenUrl}
        onChange={({ currentTarget }) => change({ tokenUrl: currentTarget.value })}
        error={problemOf('settings.token_url')}
      />
      <TextInput
        label="Client ID"
        autoComplete="off"
        spellCheck={false}
        value={draft.clientId}
        onChange={({ currentTarget }) => change({ clientId: currentTarget.value })}
        error={problemOf('settings.client_id')}
      />
      <TextInput
        label="Scopes"
        description="Separated by spaces. Optional."
        spellCheck={false}
        value={draft.scopes}
        onChange={({ currentTarget }) => change({ scopes: currentTarget.value })}
        error={problemOf('settings.scopes')}
      />
      <TextInput
        label="Audience"
        description="For servers that want one. Optional."
        spellCheck={false}
        value={draft.audience}
        onChange={({ currentTarget }) => change({ audience: currentTarget.value })}
        error={problemOf('settings.audience')}
      />
      <NativeSelect
        label="Client authentication"
        value={draft.clientAuthentication}
        data={[
          { value: 'basic', label: 'Authorization header' },
          { value: 'body', label: 'Request body' },
        ]}
        onChange={({ currentTarget }) =>
          change({ clientAuthentication: currentTarget.value === 'body' ? 'body' : 'basic' })
        }
      />
    </>
  )
}

function SharedField({ draft, change, problemOf }: PartProps) {
  const mayShare = useMay('manage workflows')
  if (!mayShare && !draft.shared) return null
  return (
    <Checkbox
      label="Shared"
      description="Executions of all accounts may use it; only you can change it."
      checked={draft.shared}
      onChange={({ currentTarget }) => change({ shared: currentTarget.checked })}
      error={problemOf('shared')}
    />
  )
}
