import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { Status } from '../../parts/Status.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import styles from './SettingsPage.module.css'

/** Sends a mail or a Slack message now, and shows what the server answered. */
export function TestNotification() {
  const [kind, setKind] = useState<'mail' | 'slack'>('mail')
  const [to, setTo] = useState('')
  const [result, setResult] = useState<{ readonly delivered: boolean; readonly problem: string | null }>()
  const [isOpen, setOpen] = useState(false)
  const submission = useSubmission({
    fields: ['kind', 'to'],
    send({ client }) {
      setResult(undefined)
      return bodyOf(client.POST('/api/v1/settings/test-notification', { body: { kind, to } }))
    },
    onDone: setResult,
  })
  if (!isOpen) {
    return (
      <div>
        <Button size="sm" variant="default" onClick={() => setOpen(true)}>
          Send test…
        </Button>
      </div>
    )
  }
  return (
    <div className={styles['test']}>
      <h3>Send a test notification</h3>
      <Form
        submission={submission}
        submitLabel="Send test"
        failureSentence="The test was not sent."
        onCancel={() => setOpen(false)}
      >
        <div className={styles['parts']}>
          <NativeSelect
            label="Kind"
            data={[
              { value: 'mail', label: 'Mail' },
              { value: 'slack', label: 'Slack' },
            ]}
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value === 'slack' ? 'slack' : 'mail')}
          />
          <TextInput
            data-autofocus
            label="Recipient"
            placeholder={kind === 'mail' ? 'ops@example.com' : '#ops'}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            error={submission.problemOf('to')}
          />
        </div>
        <div role="status">
          {result === undefined ? null : (
            <Status
              tone={result.delivered ? 'good' : 'bad'}
              word={result.delivered ? 'The server accepted it' : (result.problem ?? 'Not delivered')}
            />
          )}
        </div>
      </Form>
    </div>
  )
}
