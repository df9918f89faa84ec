import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import formStyles from '../../parts/Form.module.css'
import { Form } from '../../parts/Form.tsx'
import { Section } from '../../parts/Section.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { SettingField } from './SettingField.tsx'
import styles from './SettingsPage.module.css'
import { changesOf, type Draft, shownText } from './setting-words.ts'
import { type Setting, type Settings, settingsQuery } from './settings-query.ts'

interface SettingsSectionProps {
  readonly title: string
  readonly about?: ReactNode
  readonly settings: readonly Setting[]
  /** Shown below the form. */
  readonly children?: ReactNode
}

/** The settings of one section, which are saved together. */
export function SettingsSection({ title, about, settings, children }: SettingsSectionProps) {
  const api = useApi()
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft>({})
  const changes = changesOf(draft, settings)
  const isFixed = settings.every(({ source }) => source === 'environment')

  async function show(saved: Settings, names: readonly string[]): Promise<void> {
    cache.setQueryData(settingsQuery(api).queryKey, saved)
    setDraft((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !names.includes(name))))
    await notify({ title: `${title}: saved`, message: 'The change applies at once, on every replica.' })
  }

  const submission = useSubmission({
    fields: settings.map(({ name }) => name),
    send: ({ client }) => bodyOf(client.PATCH('/api/v1/settings', { body: changes })),
    onDone: (saved) => show(saved, Object.keys(changes)),
  })
  const reset = useMutation({
    mutationFn: async (name: string) => ({
      name,
      saved: await bodyOf(api.client.PATCH('/api/v1/settings', { body: { [name]: null } })),
    }),
    onSuccess: ({ saved, name }) => show(saved, [name]),
  })
  if (settings.length === 0) return null
  const hasChanges = Object.keys(changes).length > 0
  const fields = settings.map((setting) => (
    <SettingField
      key={setting.name}
      setting={setting}
      text={draft[setting.name] ?? shownText(setting)}
      onChange={(text) => setDraft((now) => ({ ...now, [setting.name]: text }))}
      problem={submission.problemOf(setting.name)}
      onReset={() => reset.isPending || reset.mutate(setting.name)}
    />
  ))
  if (isFixed) {
    return (
      <Section title={title}>
        <div className={styles['section']}>
          {about === undefined ? null : <p className={styles['about']}>{about}</p>}
          <div className={`${formStyles['form']} ${styles['fixed']}`}>{fields}</div>
          {children}
        </div>
      </Section>
    )
  }
  return (
    <Section title={title}>
      <div className={styles['section']}>
        {about === undefined ? null : <p className={styles['about']}>{about}</p>}
        <Form
          submission={
            hasChanges ? submission : { ...submission, onSubmit: (event) => event.preventDefault() }
          }
          submitLabel="Save"
          failureSentence="Nothing was changed."
        >
          {fields}
          {reset.error === null ? null : (
            <FailureNotice
              what="Nothing was changed."
              error={reset.error}
              onRetry={() => reset.variables === undefined || reset.mutate(reset.variables)}
            />
          )}
          <p role="status" className={styles['state']}>
            {hasChanges ? 'Not saved yet.' : ''}
          </p>
        </Form>
        {children}
      </div>
    </Section>
  )
}
