import '../../theme/mantine-form.css'
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { ChoiceLabel } from '../../parts/ChoiceLabel.tsx'
import type { AskSettings } from './ask-settings.ts'
import styles from './Settings.module.css'

interface SettingsProps {
  readonly settings: AskSettings
  readonly onChange: (settings: AskSettings) => void
  readonly isRaw: boolean
  readonly onRaw: (isRaw: boolean) => void
  /** What the platform found wrong with a field, by its name in the request. */
  readonly problemOf: (field: string) => string | undefined
}

const fallbacks = [
  { value: 'none', label: 'Nobody else is asked' },
  { value: 'any', label: 'Anybody who can' },
  { value: 'these', label: 'These, in turn' },
]

/** How the model is asked. What is left empty is left to the model. */
export function Settings({ settings, onChange, isRaw, onRaw, problemOf }: SettingsProps) {
  const set = (changes: Partial<AskSettings>) => onChange({ ...settings, ...changes })
  return (
    <>
      <Textarea
        label="System prompt"
        placeholder="How the model should answer"
        size="sm"
        rows={3}
        classNames={{ input: styles['prompt'] ?? '' }}
        value={settings.system}
        onChange={(change) => set({ system: change.currentTarget.value })}
      />
      <div className={styles['pair']}>
        <TextInput
          type="number"
          label="Temperature"
          placeholder="Its own"
          min={0}
          max={2}
          step={0.1}
          value={settings.temperature}
          onChange={(change) => set({ temperature: change.currentTarget.value })}
          error={problemOf('temperature')}
        />
        <TextInput
          type="number"
          label="Most tokens"
          placeholder="Its own"
          min={1}
          step={1}
          value={settings.maxTokens}
          onChange={(change) => set({ maxTokens: change.currentTarget.value })}
          error={problemOf('max_tokens')}
        />
      </div>
      <NativeSelect
        label="If it cannot answer"
        data={fallbacks}
        value={settings.fallback}
        onChange={({ currentTarget: { value } }) =>
          set({ fallback: value === 'any' || value === 'these' ? value : 'none' })
        }
        error={problemOf('X-Model-Fallback')}
      />
      {settings.fallback === 'these' ? (
        <TextInput
          label="Models to ask instead"
          description="With commas between them; the first that can answers."
          placeholder="gemma3:4b, builtin:text"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={settings.fallbackModels}
          onChange={(change) => set({ fallbackModels: change.currentTarget.value })}
        />
      ) : null}
      <Checkbox
        size="xs"
        label={<ChoiceLabel title="Answer in JSON" about={undefined} />}
        checked={settings.json}
        onChange={(change) => set({ json: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={
          <ChoiceLabel
            title="Answer from memory when it can"
            about="The same question at temperature 0 then costs nothing the second time."
          />
        }
        checked={settings.remembered}
        onChange={(change) => set({ remembered: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={
          <ChoiceLabel
            title="Show answers as they came"
            about="Without it, Markdown is set as it is meant."
          />
        }
        checked={isRaw}
        onChange={(change) => onRaw(change.currentTarget.checked)}
      />
    </>
  )
}
