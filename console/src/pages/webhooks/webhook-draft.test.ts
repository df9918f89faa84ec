import { expect, test } from 'vitest'
import { bodyOfDraft, draftOf, emptyDraft } from './webhook-draft.ts'

const webhook = {
  webhook_id: 'w',
  webhook_url: 'https://receiver.example/hook',
  events_subscribed: ['flow.execution.completed'],
  filters: { flow_ids: ['review'], min_cost: 0.5, priority: ['high'] },
  retry_policy: { max_attempts: 3, retry_delay: 7, timeout: 5 },
  format: {
    content_type: 'application/x-www-form-urlencoded',
    compression: 'gzip',
    include_full_context: true,
  },
  status: 'active' as const,
  disabled_reason: null,
  disabled_at: null,
  verification_expires_at: null,
  verified_at: 1,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: 1,
  updated_at: 1,
}

test('a webhook that is saved as it was read stays as it is', () => {
  expect(bodyOfDraft('workflows', draftOf(webhook), webhook)).toEqual({
    webhook_config: {
      url: webhook.webhook_url,
      events: webhook.events_subscribed,
      filters: webhook.filters,
      retry_policy: webhook.retry_policy,
      format: { ...webhook.format, include_intermediate_results: false },
    },
  })
})

test('a webhook of the other interface is read and written in its own words', () => {
  const { filters: _filters, retry_policy: retries, format: _format, ...rest } = webhook
  const other = { ...rest, events_subscribed: ['workflow.failed'], retry_config: retries }
  expect(bodyOfDraft('orchestra', draftOf(other), other)).toEqual({
    url: webhook.webhook_url,
    events: ['workflow.failed'],
    retry_config: retries,
  })
})

test('what was left empty is left out, and so are lines with nothing on them', () => {
  const draft = { ...emptyDraft, url: ' https://a.example ', events: ['x'], flowIds: '\n one \n\n' }
  expect(bodyOfDraft('workflows', draft)).toMatchObject({
    webhook_config: { url: 'https://a.example', filters: { flow_ids: ['one'] }, retry_policy: {} },
  })
})

test('the other interface knows neither filters nor formats', () => {
  const draft = { ...emptyDraft, url: 'https://a.example', events: ['workflow.completed'], attempts: '4' }
  expect(bodyOfDraft('orchestra', draft)).toEqual({
    url: 'https://a.example',
    events: ['workflow.completed'],
    retry_config: { max_attempts: 4 },
  })
})

test('what is no number is sent as it was typed, so that it is told what is wrong with it', () => {
  expect(bodyOfDraft('orchestra', { ...emptyDraft, timeout: 'soon' })).toMatchObject({
    retry_config: { timeout: 'soon' },
  })
})
