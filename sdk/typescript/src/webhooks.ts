/** Receives webhooks. Apart from the client, which also runs in browsers: this needs Node.js. */
export {
  createReceiver,
  type ReadOptions,
  type ReceiverOptions,
  readWebhook,
  type WebhookMessage,
  WebhookRefused,
} from '../../../src/webhooks/receive/index.mjs'
