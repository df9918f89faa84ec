import { defineFailures } from '#kernel/errors'

/** Failures of outbound requests. */
const outboundFailureTable = {
  outbound_refused: { status: 422, message: 'Requests to this address are not allowed.' },
  outbound_invalid_request: { status: 400, message: 'This request cannot be sent.' },
  outbound_unresolvable: {
    status: 502,
    message: 'The name of the host could not be resolved.',
    retryable: true,
  },
  outbound_unreachable: { status: 502, message: 'No connection to the host could be made.', retryable: true },
  outbound_insecure: {
    status: 502,
    message: 'No secure connection to the host could be made.',
    retryable: true,
  },
  outbound_connection_lost: {
    status: 502,
    message: 'The host closed the connection before its response was complete.',
    retryable: true,
  },
  outbound_timeout: { status: 504, message: 'The host did not respond in time.', retryable: true },
  outbound_too_large: { status: 502, message: 'The response of the host is too large.' },
  outbound_bad_response: { status: 502, message: 'The response of the host is not valid HTTP.' },
  outbound_too_many_redirects: { status: 502, message: 'The host redirects too often.' },
} as const

export type OutboundFailureCode = keyof typeof outboundFailureTable

export const outboundFailure = defineFailures(outboundFailureTable)

/** Why an address was refused: the label in metrics and logs, and the end of the message to the caller. */
const refusalReasons = {
  scheme: 'only http and https are supported',
  credentials: 'an address must not contain a user name or password',
  malformed: 'it is not a valid address',
  port: 'this port is not for web traffic',
  loopback: 'it leads to this machine',
  private: 'it leads to a private network',
  link_local: 'it leads to a link-local address',
  metadata: 'it leads to a cloud metadata service',
  multicast: 'it leads to a multicast or broadcast address',
  reserved: 'it leads to a reserved address',
  tunnel: 'it leads through a tunnel or translated address',
  private_name: 'its name belongs to private networks',
  not_encrypted: 'http would send its credentials without encryption; use https',
  downgrade: 'a redirect must not lead from https to http',
} as const

export type RefusalReason = keyof typeof refusalReasons

/** The failure for a refused address. The resolved address goes only to the log, so that callers cannot explore the network. */
export function refuse(reason: RefusalReason, cause?: string) {
  return outboundFailure('outbound_refused', {
    message: `Requests to this address are not allowed: ${refusalReasons[reason]}.`,
    details: { reason },
    ...(cause !== undefined && { cause }),
  })
}
