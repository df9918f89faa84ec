import '../../theme/mantine-form.css'
import { Button, PasswordInput } from '@mantine/core'
import { generatePassword } from './generate-password.ts'
import styles from './PasswordField.module.css'

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** A password for somebody else: typed, or made up here. */
export function PasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  return (
    <div className={styles['field']}>
      <PasswordInput
        label={label}
        description="At least 8 characters. You see it once more when it is saved, to pass it on."
        autoComplete="new-password"
        value={value}
        onChange={(change) => onChange(change.currentTarget.value)}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      />
      <Button size="compact-sm" variant="default" onClick={() => onChange(generatePassword())}>
        Make one up
      </Button>
    </div>
  )
}
