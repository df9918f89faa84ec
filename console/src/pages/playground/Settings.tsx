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
  { value: 'none', label: 'No fallback' },
  { value: 'any', label: 'Any available model' },
  { value: 'these', label: 'These models, in order' },
]

/** How the model is asked. What is left empty is left to the model. */
export function Settings({ settings, onChange, isRaw, onRaw, problemOf }: SettingsProps) {
  const set = (changes: Partial<AskSettings>) => onChange({ ...settings, ...changes })
  return (
    <>
      <Textarea
        label="System prompt"
        placeholder="Instructions for the model"
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
          placeholder="Default"
          min={0}
          max={2}
          step={0.1}
          value={settings.temperature}
          onChange={(change) => set({ temperature: change.currentTarget.value })}
          error={problemOf('temperature')}
        />
        <TextInput
          type="number"
          label="Max tokens"
          placeholder="Default"
          min={1}
          step={1}
          value={settings.maxTokens}
          onChange={(change) => set({ maxTokens: change.currentTarget.value })}
          error={problemOf('max_tokens')}
        />
      </div>
      <NativeSelect
        label="Fallback"
        data={fallbacks}
        value={settings.fallback}
        onChange={({ currentTarget: { value } }) =>
          set({ fallback: value === 'any' || value === 'these' ? value : 'none' })
        }
        error={problemOf('X-Model-Fallback')}
      />
      {settings.fallback === 'these' ? (
        <TextInput
          label="Fallback models"
          description="Comma-separated; the first available model answers."
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
        label={<ChoiceLabel title="JSON output" about={undefined} />}
        checked={settings.json}
        onChange={(change) => set({ json: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={
          <ChoiceLabel
            title="Use cache"
            about="At temperature 0, repeated requests are answered from the cache for free."
          />
        }
        checked={settings.remembered}
        onChange={(change) => set({ remembered: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={<ChoiceLabel title="Show raw text" about="When off, Markdown is rendered." />}
        checked={isRaw}
        onChange={(change) => onRaw(change.currentTarget.checked)}
      />
    </>
  )
}
