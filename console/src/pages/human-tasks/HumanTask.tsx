import '../../theme/mantine-form.css'
import { Checkbox, NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { DetailList } from '../../parts/DetailList.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { ValueView } from '../../parts/ValueView.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { describeMinute } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { answerOf, type FieldValue, readFields, type TaskField } from './form-fields.ts'
import styles from './HumanTask.module.css'
import { type HumanTaskEntry, humanTaskQuery } from './human-task-queries.ts'
import { taskWords } from './human-task-words.ts'

const Markdown = lazyPart(() => import('../../parts/Markdown.tsx'))

/** A question of an execution to a person: the message, and its form or its answer. */
export default function HumanTask({ id }: { id: string }) {
  const { data: task, error, refetch } = useQuery(humanTaskQuery(useApi(), id))
  if (task === undefined)
    return error === null ? (
      <Skeleton width={280} />
    ) : (
      <FailureNotice what="The task could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  return (
    <div className={styles['task']}>
      <Suspense>
        <Markdown text={task.message} isStreaming={false} onRendered={ignore} />
      </Suspense>
      {task.state !== 'open' ? (
        <Answered task={task} />
      ) : task.may_answer ? (
        <AnswerForm key={task.id} task={task} />
      ) : (
        <p>{describeAssignees(task)}</p>
      )}
    </div>
  )
}

function ignore(): void {
  // Nothing scrolls with a text that is complete.
}

function describeAssignees({ assignees }: HumanTaskEntry): string {
  if (assignees === null) return 'The account of the execution can answer it.'
  const names = [
    ...assignees.accounts,
    ...assignees.roles.map((role) => `everyone with the role ${role}`),
    ...assignees.emails,
  ]
  return `It is assigned to ${names.join(', ')}.`
}

/** A task that is closed. */
function Answered({ task }: { task: HumanTaskEntry }) {
  return (
    <>
      <DetailList
        details={[
          { name: 'State', value: taskWords[task.state].word },
          ...(task.answered_by === null
            ? []
            : [{ name: 'Answered by', value: task.answered_by.replace(/^mail:/, '') }]),
          ...(task.comment === null ? [] : [{ name: 'Comment', value: task.comment }]),
          ...(task.closed_at === null
            ? []
            : [
                {
                  name: 'Closed',
                  value: <RelativeTime at={new Date(task.closed_at * 1000).toISOString()} />,
                },
              ]),
        ]}
      />
      {task.answer === null ? null : (
        <ValueView value={task.answer} what="answer" fileName={`${task.step_id}-answer`} />
      )}
    </>
  )
}

/** The form of the JSON schema of the task, with a comment. */
function AnswerForm({ task }: { task: HumanTaskEntry }) {
  const cache = useQueryClient()
  const fields = readFields(task.form)
  const [values, setValues] = useState<ReadonlyMap<string, FieldValue>>(new Map())
  const [comment, setComment] = useState('')
  const submission = useSubmission({
    fields: [...fields.map(({ name }) => `answer.${name}`), 'comment'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/ai-workflows/api/human-tasks/{task_id}/answer', {
          params: { path: { task_id: task.id } },
          body: {
            answer: answerOf(fields, values),
            ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
          },
        }),
      ),
    async onDone() {
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['human-tasks'] }),
        cache.invalidateQueries({ queryKey: ['executions'] }),
      ])
      await notify({ title: 'The answer is sent', message: 'The execution continues.' })
    },
  })
  return (
    <Form submission={submission} submitLabel="Send answer" failureSentence="The answer was not sent.">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values.get(field.name) ?? field.initial}
          problem={submission.problemOf(`answer.${field.name}`)}
          onChange={(value) => setValues(new Map(values).set(field.name, value))}
        />
      ))}
      <Textarea
        label={task.require_comment ? 'Comment' : 'Comment (optional)'}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        value={comment}
        error={submission.problemOf('comment')}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      {task.expires_at === null ? null : (
        <p className={styles['until']}>
          An answer is possible until {describeMinute(new Date(task.expires_at * 1000))}.
        </p>
      )}
    </Form>
  )
}

interface FieldProps {
  readonly field: TaskField
  readonly value: FieldValue
  readonly problem: string | undefined
  readonly onChange: (value: FieldValue) => void
}

function Field({ field, value, problem, onChange }: FieldProps) {
  const { kind, title, description, options, isRequired } = field
  const shared = {
    label: isRequired ? title : `${title} (optional)`,
    description,
    error: problem,
  }
  if (kind === 'choices')
    return (
      <Checkbox.Group {...shared} value={[value].flat()} onChange={onChange}>
        <div className={styles['choices']}>
          {options.map((option) => (
            <Checkbox key={option} value={option} label={option} />
          ))}
        </div>
      </Checkbox.Group>
    )
  const text = typeof value === 'string' ? value : ''
  if (kind === 'yes or no')
    return (
      <Radio.Group {...shared} value={text} onChange={onChange}>
        <div className={styles['choices']}>
          <Radio value="true" label="Yes" />
          <Radio value="false" label="No" />
        </div>
      </Radio.Group>
    )
  if (kind === 'choice')
    return (
      <NativeSelect
        {...shared}
        data={['', ...options]}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  if (kind === 'multiline')
    return (
      <Textarea
        {...shared}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...shared}
      {...(kind === 'number' ? { inputMode: 'decimal' } : { type: kind })}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
