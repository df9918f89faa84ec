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
