import '../../theme/mantine-form.css'
import { Button, PasswordInput } from '@mantine/core'
import styles from './PasswordField.module.css'

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** A password for another user: typed, or generated. */
export function PasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  return (
    <div className={styles['field']}>
      <PasswordInput
        label={label}
        description="At least 8 characters. It is shown once more after saving."
        autoComplete="new-password"
        value={value}
        onChange={(change) => onChange(change.currentTarget.value)}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      />
      <Button size="compact-sm" variant="default" onClick={() => onChange(generatePassword())}>
        Generate
      </Button>
    </div>
  )
}

/** The alphabet, without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const groups = 4
const groupLength = 5

/** A strong password that is easy to type: four groups of five, about 116 bits. */
export function generatePassword(): string {
  return Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, randomLetter).join(''),
  ).join('-')
}

function randomLetter(): string {
  // Values beyond the last multiple of the alphabet's length would favour its first characters.
  const limit = 256 - (256 % alphabet.length)
  for (;;) {
    const [value = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (value < limit) return alphabet[value % alphabet.length] ?? ''
  }
}
