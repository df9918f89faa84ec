import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { statusConfigQuery, statusKey } from '../health-queries.ts'
import { describeService } from '../health-words.ts'
import type { StatusConfig } from '../status-bodies.ts'
import styles from './ConfigForm.module.css'
import { type ConfigDraft, changeOf, draftOf } from './config-draft.ts'
import { NumberField } from './NumberField.tsx'

interface ConfigFormProps {
  readonly config: StatusConfig
  readonly onClose: () => void
}

/** Asks how services are to be watched. Only what was changed is sent. */
export function ConfigForm({ config, onClose }: ConfigFormProps) {
  const api = useApi()
  const cache = useQueryClient()
  const [typed, setTyped] = useState<ConfigDraft>({})
  const draft = { ...draftOf(config), ...typed }
  const submission = useSubmission({
    fields: [...Object.keys(draft), 'weights'],
    send: ({ client }) => bodyOf(client.PUT('/admin/llm/config', { body: changeOf(draft, config) })),
    async onDone(changed) {
      onClose()
      cache.setQueryData(statusConfigQuery(api).queryKey, changed)
      await cache.invalidateQueries({ queryKey: statusKey })
      await notify({ title: 'The checks are changed', message: 'It holds from the next round on.' })
    },
  })
  const { problemOf } = submission
  const field = (path: string) => ({
    value: draft[path] ?? '',
    onChange: (text: string) => setTyped((now) => ({ ...now, [path]: text })),
    error: problemOf(path),
  })
  const title = field('page_title')
  const services = Object.keys(config.weights)

  return (
    <Form
      submission={submission}
      submitLabel="Save"
      failureSentence="The checks are as they were."
      onCancel={onClose}
    >
      <DrawerSection
        title="Rounds"
        about="One process looks at all services in turn; everybody answers from what it saw."
      >
        <div className={styles['pair']}>
          <NumberField isFirst label="Every" unit="s" {...field('interval_seconds')} />
          <NumberField label="Time-out" unit="s" {...field('timeout_seconds')} />
        </div>
      </DrawerSection>
      <DrawerSection
        title="Damping"
        about="How many checks in a row it takes until another state is told, and when a service that keeps changing is held as degraded."
      >
        <div className={styles['pair']}>
          <NumberField label="Worse after" unit="checks" {...field('damping.worse')} />
          <NumberField label="Better after" unit="checks" {...field('damping.better')} />
          <NumberField label="Flapping from" unit="changes" {...field('damping.flapping_changes')} />
          <NumberField label="Within" unit="min" {...field('damping.flapping_minutes')} />
        </div>
      </DrawerSection>
      <DrawerSection
        title="Each service"
        about="From when on an answer is slow, and how much a service counts in the score."
      >
        {services.map((name) => (
          <div key={name} className={styles['pair']}>
            <NumberField
              label={`${describeService(name)}: slow from`}
              unit="ms"
              {...field(`slow_ms.${name}`)}
            />
            <NumberField
              label={`${describeService(name)}: weight`}
              unit="of 100"
              {...field(`weights.${name}`)}
            />
          </div>
        ))}
      </DrawerSection>
      <DrawerSection title="Disk" about="How full it may be.">
        <div className={styles['pair']}>
          <NumberField label="Degraded from" unit="%" {...field('disk.degraded_percent')} />
          <NumberField label="Offline from" unit="%" {...field('disk.offline_percent')} />
        </div>
      </DrawerSection>
      <DrawerSection title="Status page">
        <TextInput
          label="Title"
          autoComplete="off"
          value={title.value}
          onChange={(change) => title.onChange(change.currentTarget.value)}
          error={title.error}
        />
      </DrawerSection>
    </Form>
  )
}
