import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import styles from '../../parts/OwnerChoice.module.css'
import type { WebhookApi } from './webhook-search.ts'

interface ApiChoiceProps {
  readonly kind: WebhookApi
  readonly onChange: (kind: WebhookApi) => void
}

/** Whose events: each interface tells them in its own words. */
export function ApiChoice({ kind, onChange }: ApiChoiceProps) {
  return (
    <SegmentedControl
      className={styles['choice'] ?? ''}
      size="xs"
      aria-label="Whose events"
      value={kind}
      onChange={(value) => onChange(value === 'orchestra' ? 'orchestra' : 'workflows')}
      data={[
        { value: 'workflows', label: 'Events of Workflows' },
        { value: 'orchestra', label: 'Events of Orchestra' },
      ]}
    />
  )
}
