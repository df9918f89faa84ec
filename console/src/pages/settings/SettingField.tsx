import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './SettingsPage.module.css'
import { describeSetting, describeSource, isFlag } from './setting-words.ts'
import type { Setting } from './settings-query.ts'

export interface FieldProps {
  readonly setting: Setting
  /** The text of the field. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly problem: string | undefined
}

/** One setting: its field, the source of its value, and why it cannot be changed. */
export function SettingField(props: FieldProps & { readonly onReset: () => void }) {
  const { setting, onReset } = props
  const { name, source, has_stored_value: isStored, problem: storedProblem, secret } = setting
  const isFixed = source === 'environment'
  return (
    <div className={styles['field']} data-setting={name}>
      <FieldOf {...props} />
      <p className={styles['source']}>
        <span className={styles['badge']} data-source={source}>
          {describeSource(setting)}
        </span>
        {isFixed ? <span>The environment of the server sets it. Change it there, and restart.</span> : null}
        {isFixed && isStored ? <span>A value set here earlier is not used.</span> : null}
        {storedProblem === null || isFixed ? null : (
          <span className={styles['bad']}>The stored value cannot be used: {storedProblem}</span>
        )}
        {isStored && !isFixed ? (
          <button
            type="button"
            className={styles['reset']}
            aria-label={`${secret ? 'Remove' : 'Use default for'} ${setting.label}`}
            onClick={onReset}
          >
            {secret ? 'Remove' : 'Use default'}
          </button>
        ) : null}
      </p>
    </div>
  )
}

function FieldOf(props: FieldProps): ReactNode {
  const { setting, text, onChange, problem } = props
  const { label, kind, choices, secret, is_set: isSet, default: fallback, name } = setting
  const isFixed = setting.source === 'environment'
  const common = { label, description: describeSetting(setting), error: problem }
  if (name === 'TUTTI_CUSTOM_TIER') return <TierField {...props} />
  if (isFlag(kind)) {
    return (
      <Checkbox
        {...common}
        size="xs"
        disabled={isFixed}
        checked={text === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  }
  if (choices !== null) {
    return (
      <NativeSelect
        {...common}
        data={[...choices]}
        disabled={isFixed}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...common}
      readOnly={isFixed}
      // A password manager must not offer the password of the account for a mail server.
      autoComplete={secret ? 'new-password' : 'off'}
      type={secret ? 'password' : 'text'}
      placeholder={secret ? (isSet ? 'Type a new value to replace it' : '') : (fallback ?? '')}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

const tierParts = ['Requests per hour', 'Concurrent workflows', 'Dollars per day'] as const

/** The three numbers of the custom tier, which the setting has in one text. */
function TierField({ setting, text, onChange, problem }: FieldProps) {
  const isFixed = setting.source === 'environment'
  const shown = (text === '' ? (setting.default ?? '') : text).split(',')
  return (
    <fieldset className={styles['tier']}>
      <legend>{setting.label}</legend>
      <p>{setting.about.replaceAll('`', '')}.</p>
      <div className={styles['parts']}>
        {tierParts.map((label, index) => (
          <TextInput
            key={label}
            label={label}
            inputMode="decimal"
            readOnly={isFixed}
            value={shown[index]?.trim() ?? ''}
            error={index === 0 ? problem : problem !== undefined}
            onChange={({ currentTarget }) =>
              onChange(
                tierParts.map((_, at) => (at === index ? currentTarget.value : (shown[at] ?? ''))).join(','),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
