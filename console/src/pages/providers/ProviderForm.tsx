import { NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import type { Submission } from '../../parts/use-submission.ts'
import { type ProviderDraft, presets, type StoredKind } from './provider-draft.ts'
import { kindWords } from './provider-words.ts'

/** The fields of the form, by their names in the request. */
export const providerFields = [
  'name',
  'kind',
  'base_url',
  'api_key',
  'headers',
  'model_ids',
  'default_model',
  'price_list',
] as const

interface ProviderFormFieldsProps {
  readonly draft: ProviderDraft
  readonly onChange: (draft: ProviderDraft) => void
  readonly problemOf: Submission['problemOf']
  /** The provider exists: its name is fixed, and its key is stored elsewhere in the drawer. */
  readonly isStored: boolean
}

const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }))
const plainText = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const

/** The settings of a provider. */
export function ProviderFormFields({ draft, onChange, problemOf, isStored }: ProviderFormFieldsProps) {
  const set = (fields: Partial<ProviderDraft>) => onChange({ ...draft, ...fields })
  return (
    <>
      {isStored ? null : (
        <>
          <NativeSelect
            data-autofocus
            label="Preset"
            description="Fills the protocol and the base URL."
            data={presets.map(({ label }) => label)}
            onChange={(change) => {
              const preset = presets.find(({ label }) => label === change.currentTarget.value)
              if (preset !== undefined) set({ kind: preset.kind, baseUrl: preset.baseUrl })
            }}
          />
          <TextInput
            {...plainText}
            label="Name"
            description="Part of model names, such as groq/llama-3.3-70b."
            placeholder="groq"
            value={draft.name}
            onChange={(change) => set({ name: change.currentTarget.value })}
            error={problemOf('name')}
          />
        </>
      )}
      <NativeSelect
        label="Protocol"
        data={kinds}
        value={draft.kind}
        onChange={(change) => set({ kind: change.currentTarget.value as StoredKind })}
        error={problemOf('kind')}
      />
      <TextInput
        {...plainText}
        label="Base URL"
        description={
          isStored
            ? 'On another host or port, the stored key and headers are removed.'
            : 'The address before the paths of the API.'
        }
        placeholder="https://api.example.com/v1"
        inputMode="url"
        value={draft.baseUrl}
        onChange={(change) => set({ baseUrl: change.currentTarget.value })}
        error={problemOf('base_url')}
      />
      {isStored ? null : (
        <PasswordInput
          label="API key (optional)"
          description="Stored encrypted, never shown again."
          autoComplete="off"
          data-1p-ignore
          value={draft.apiKey}
          onChange={(change) => set({ apiKey: change.currentTarget.value })}
          error={draft.apiKey.trim() === '' ? undefined : problemOf('api_key')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
        />
      )}
      <TextInput
        {...plainText}
        label="Models (optional)"
        description="Model IDs, comma-separated. Default: all that the server lists."
        value={draft.modelIds}
        onChange={(change) => set({ modelIds: change.currentTarget.value })}
        error={problemOf('model_ids')}
      />
      <TextInput
        {...plainText}
        label="Default model (optional)"
        description={
          isStored
            ? 'Used for “auto” and for fallbacks. Empty: none.'
            : 'Used for “auto” and for fallbacks. Empty: chosen for you, unless there is a default model already.'
        }
        value={draft.defaultModel}
        onChange={(change) => set({ defaultModel: change.currentTarget.value })}
        error={problemOf('default_model')}
      />
      <TextInput
        {...plainText}
        label="Price list (optional)"
        description="Such as groq or openrouter, or none. Default: chosen by the address."
        value={draft.priceList}
        onChange={(change) => set({ priceList: change.currentTarget.value })}
        error={problemOf('price_list')}
      />
      <Textarea
        {...plainText}
        label="Headers (optional)"
        description={
          isStored
            ? 'One “Name: value” per line replaces the stored headers. Empty: unchanged.'
            : 'One “Name: value” per line, stored encrypted.'
        }
        autosize
        minRows={2}
        maxRows={8}
        value={draft.headers}
        onChange={(change) => set({ headers: change.currentTarget.value })}
        error={problemOf('headers')}
      />
      <Switch
        label="Enabled"
        checked={draft.enabled}
        onChange={(change) => set({ enabled: change.currentTarget.checked })}
      />
    </>
  )
}
