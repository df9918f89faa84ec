// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.
/* oxlint-disable */

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public keys of access tokens, as a JSON Web Key Set */
        get: operations["readKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this authorization server can do, as RFC 8414 writes it */
        get: operations["readServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agent-analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How agents do and what they cost
         * @description Counts the steps that agents did in executions of everybody, by the moment the execution ended; of the last 24 hours unless a field says otherwise. What there is no data for is null or empty.
         */
        get: operations["readAgentAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Those that come with the platform and those that were made here.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Make an agent
         * @description Everything that is wrong with the definition is told at once, with its place. Agents that come with the platform are good to begin with: read one, change it, and save it under an id of your own.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description With its prompt, its output schema, its analysers and checks, and what was measured.
         */
        get: operations["readAgent"];
        /**
         * Save a new version of an agent, or switch it off and on
         * @description Steps that name a version keep it; the others have the new one do their work. With `If-Match: "3"` (or `expected_version`) nothing is saved when somebody else did so in between (409). Of agents that come with the platform only `status` can be set (409).
         */
        put: operations["changeAgent"];
        post?: never;
        /**
         * Delete an agent
         * @description Steps that name it fail from then on. To have it rest for a while, set its status instead. Agents that come with the platform stay (409).
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents/{id}/rating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what people think of an agent
         * @description Who said it is not told.
         */
        get: operations["readAgentRating"];
        put?: never;
        /**
         * Rate an agent
         * @description One rating for each account and agent; another one takes its place. With `execution_id` it has to be an execution of yours in which the agent worked.
         */
        post: operations["rateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an old version current again
         * @description Makes a new version that is the same as the old one, so that nothing of what happened is lost.
         */
        post: operations["rollBackAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description The newest first. A version never changes.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/agents/recommend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which agents suit a content
         * @description Compares every agent with what is said about the content, and with what its runs of the last 30 days have shown. `requirements` leave agents out and say why; `preferences` change what counts most. Nothing is started.
         */
        post: operations["recommendAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/execute-workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a workflow
         * @description Waits for the end and answers with all of it; with `options.async`, or for a workflow that needs approval, it is put into the queue instead. It goes on when the caller leaves.
         */
        post: operations["executeWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how every part of the platform is
         * @description Measured, with what is not well and what to do about it. While the database is away the answer is 503.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/live-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how the platform is at this moment
         * @description Everything is measured: the machine every five seconds, providers every thirty, the queue now. While the database is away the answer is 503.
         */
        get: operations["readLiveStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/live-stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the platform at work
         * @description Server-sent events, as they happen. `status_update` (`active_workflows, queue_size, system_load, timestamp`) comes at once and every 5 seconds; `system_load` is in percent of the processors. `workflow_started`, `workflow_completed` and `workflow_failed` tell of your own executions, with `manage workflows` of everybody's; `cost_alert` of a threshold of an execution or of the day that was reached; `error` of a step that is tried again or whose provider failed. `agent_performance` comes after an agent ran, every 10 seconds at most, and `provider_status` when a provider can be asked again or no longer. Every event has an id. Whoever reconnects with `Last-Event-ID` within ten minutes misses and repeats nothing, whichever process answers; later, or with an id that is not known, the first event is `stream_reset` (`reason, active_workflows, timestamp`): read anew what you show.
         */
        get: operations["followOrchestra"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/metrics/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how the platform does
         * @description Response times, throughput, errors and resources, compared with the time before, and what the next hours are likely to bring. Read from sums that are kept, so it takes no longer after a million requests.
         */
        get: operations["readPerformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/quotas/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See what you may use, and what you have used */
        get: operations["readQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Your own, the oldest first.
         */
        get: operations["orchestraListWebhooks"];
        put?: never;
        /**
         * Subscribe to events
         * @description The URL is sent a challenge at once, and nothing else until it is verified. An account can have 100 webhooks.
         */
        post: operations["orchestraCreateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["orchestraReadWebhook"];
        /**
         * Change a webhook
         * @description Takes all of it anew; what is not named has its default again, except `secret` and `active`, which stay. Another URL has to be verified first. Another secret takes the place of the old one, which signs beside it for a day.
         */
        put: operations["orchestraChangeWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description What was on its way to it is not sent any more.
         */
        delete: operations["orchestraDeleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description The oldest first, so that new ones move nothing. With `order=newest`, give `as_of` of the first page for those after it.
         */
        get: operations["orchestraListWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery */
        get: operations["orchestraReadWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same `webhook-id`, and all its tries anew.
         */
        post: operations["orchestraRedeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many deliveries again
         * @description Those of a time, ten thousand at most, the oldest first. By default all that were given up.
         */
        post: operations["orchestraRedeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the secret of a webhook
         * @description For a day, `webhook-signature` has a signature of each, and `X-Webhook-Signature-Previous` one of the secret before. `signature` and `X-Webhook-Signature` are of the new one at once.
         */
        post: operations["orchestraRotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the challenge again
         * @description With a new token; the one before no longer counts.
         */
        post: operations["orchestraVerifyWebhookAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/webhooks/{id}/verify/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a webhook
         * @description The address that creating it answered with; good for 24 hours, and once.
         */
        get: operations["orchestraVerifyWebhook"];
        put?: never;
        /**
         * Verify a webhook
         * @description The address that creating it answered with; good for 24 hours, and once.
         */
        post: operations["orchestraVerifyWebhookByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/workflow-cancel/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.
         */
        post: operations["cancelWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/workflow-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How workflows run and what they cost
         * @description Counts executions of everybody by the moment they ended, up to this one. What there is no data for is null or empty.
         */
        get: operations["readWorkflowMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/workflow-status/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See how an execution goes */
        get: operations["readWorkflowStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description Flows in which agents work, the oldest first, so that new ones move nothing.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Make a workflow of agents
         * @description The same as a flow of agent steps, which `POST /ai-workflows/api/flows` can make in finer detail. An id that is taken is answered with 409.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-orchestra/api/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description With its steps. Whatever `POST /execute-workflow` can run can be read here.
         */
        get: operations["readWorkflow"];
        /**
         * Save a new revision of a workflow
         * @description The revision before stays as it is, and executions under way keep theirs. Workflows that come with the platform cannot be changed (409); save them under another id.
         */
        put: operations["changeWorkflow"];
        post?: never;
        /**
         * Delete a workflow
         * @description No new execution of it can be started; those under way go on to their end, and what ended stays readable. Workflows that come with the platform stay (409).
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/analytics/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How flows run and what they cost
         * @description Counts executions by the moment they ended, up to this one. It is read from sums that are kept, so it takes no longer with a million executions. What there is no data for is null or empty.
         */
        get: operations["readFlowAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Executions that wait for approval
         * @description All that you may decide about, the oldest first.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/execute-flow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a flow
         * @description Waits for the end and answers with all of it; with `options.execution_mode: asynchronous`, or for a flow that needs approval, it is put into the queue instead. It goes on when the caller leaves. `context` is what `{{placeholders}}` of the flow can read.
         */
        post: operations["executeFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/execute-flow-async": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a flow in the background
         * @description Puts an execution into the queue: of one content, or of a whole batch, of which each item goes through the flow. Beyond as many executions at once as the account may have, it waits for one to end.
         */
        post: operations["executeFlowAsync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/execution-status/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See how an execution goes */
        get: operations["readExecutionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/execution-stream/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an execution
         * @description Server-sent events, from the first or from the one after `Last-Event-ID`, until the execution is over. `step_started`, `step_completed` (`step_id, step_type, duration, tokens_used, cost, success`), `token` (`step_id, text`: a piece of what a model says), `agent_decision`, and at the end, however it ended, `execution_completed` (`execution_id, status, duration, total_cost`). Also `execution_started`, `step_failed`, `step_retrying`, `step_skipped`, `item_finished`, `log`, `cost_alert` and `over_budget`.
         */
        get: operations["followExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions
         * @description Your own; with the permission `manage workflows` those of everybody, or of one `account`. The oldest first, so that new ones move nothing. With `order=newest`, give `as_of` of the first page for those after it.
         */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an execution
         * @description Once it is over, the same as the answer to `POST /execute-flow`; before, the same as its status.
         */
        get: operations["readExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an execution
         * @description It leaves for the queue. Who decides first decides; afterwards there is nothing left to decide.
         */
        post: operations["approveExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.
         */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork an execution from a step
         * @description Makes a new execution of the same version that begins at a step of this one, with other input. What it takes over costs nothing again. It belongs to whoever forks.
         */
        post: operations["forkExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of an execution
         * @description The oldest first. Reading on is asking for what comes after `last_seq`.
         */
        get: operations["readExecutionLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover a failed execution
         * @description Puts it back into the queue under the same id. Finished steps keep their results; its time counts anew. The error of a failed execution tells in `recovery_options` what makes sense.
         */
        post: operations["recoverExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/executions/{execution_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an execution
         * @description It ends as cancelled, and the note says why. Who decides first decides; afterwards there is nothing left to decide.
         */
        post: operations["rejectExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flows
         * @description The oldest first, so that new ones move nothing. `steps` is their number; `GET /flows/{id}` has the definition.
         */
        get: operations["listFlows"];
        put?: never;
        /**
         * Create a flow
         * @description The whole graph is checked: unknown and unreachable steps, circles, placeholders that nobody fills, models nobody has. What is wrong is answered with 422 and every place in `details.problems`; an id that is taken with 409.
         */
        post: operations["createFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a flow
         * @description Its current revision, whose number is also the `ETag`. `GET /flows/{id}/versions/{version}` has the others.
         */
        get: operations["readFlow"];
        /**
         * Save a new revision of a flow
         * @description The revision before stays as it is: it can be read and run, and executions under way keep theirs. What is the same as the current revision makes no new one. With `If-Match: "3"` (or `expected_version`) nothing is saved when somebody else did so in between (409). Flows that come with the platform cannot be changed (409); save them under another id.
         */
        put: operations["changeFlow"];
        post?: never;
        /**
         * Delete a flow
         * @description No new execution of it can be started; those under way go on to their end, and what ended stays readable. What its executions remember for each other is forgotten. A flow made anew under this id goes on counting its revisions. Flows that come with the platform stay (409). With `If-Match`, only while it is at that revision.
         */
        delete: operations["deleteFlow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a flow
         * @description Steps are the same when they have the same id.
         */
        get: operations["diffFlowVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a flow remembers for you
         * @description A flow with `shared_memory_persistent` begins with what your last completed execution of it left behind. Of two side by side the one that ends last wins. At most 1 MiB is remembered.
         */
        get: operations["readFlowMemory"];
        put?: never;
        post?: never;
        /**
         * Make a flow forget
         * @description The next execution of yours begins with nothing. What others are remembered for stays.
         */
        delete: operations["clearFlowMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an old revision current again
         * @description Makes a new revision that is the same as the old one, metadata included, so that nothing of what happened is lost.
         */
        post: operations["rollBackFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a flow
         * @description The newest first.
         */
        get: operations["listFlowVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a flow
         * @description It never changes.
         */
        get: operations["readFlowVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/flows/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a flow without saving it
         * @description The same checks as saving. The answer is 200 whatever they find.
         */
        post: operations["validateFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/recommend-flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which flows suit a content
         * @description Compares every flow with what is said about content, people and requirements, and with what its executions of the last 30 days have shown. Constraints leave flows out and say why; `prioritize` changes what counts most. Nothing is started.
         */
        post: operations["recommendFlows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Your own; with the permission `manage workflows` those of everybody, or of one `account`. The oldest first.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Run a flow by the clock
         * @description Each time starts one execution, which costs your money and counts against your limits. A time that was missed runs once, as soon as it can, however many were missed. An account can have 200 schedules.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description With the times that come next, and what became of the last one.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description Executions that it has started go on.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description What is not named stays as it is; `context` and `options` are each taken as a whole. One that is turned on again misses what was meanwhile.
         */
        patch: operations["changeSchedule"];
        trace?: never;
    };
    "/ai-workflows/api/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Starts an execution at once, whatever the clock says, whether the schedule is turned on or not and whatever runs already. Its times stay as they are.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/schedules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * When a schedule would run
         * @description The next times of an expression in a time zone. When clocks are put forward, a fixed time that does not exist comes right after; when they are put back, it comes once.
         */
        post: operations["previewSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Your own, the oldest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe to events
         * @description The URL is sent a challenge at once, and nothing else until it is verified. An account can have 100 webhooks.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["readWebhook"];
        /**
         * Change a webhook
         * @description Takes all of it anew; what is not named has its default again, except `secret` and `active`, which stay. Another URL has to be verified first. Another secret takes the place of the old one, which signs beside it for a day.
         */
        put: operations["changeWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description What was on its way to it is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description The oldest first, so that new ones move nothing. With `order=newest`, give `as_of` of the first page for those after it.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery */
        get: operations["readWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same `webhook-id`, and all its tries anew.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many deliveries again
         * @description Those of a time, ten thousand at most, the oldest first. By default all that were given up.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the secret of a webhook
         * @description For a day, `webhook-signature` has a signature of each, and `X-Webhook-Signature-Previous` one of the secret before. `signature` and `X-Webhook-Signature` are of the new one at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the challenge again
         * @description With a new token; the one before no longer counts.
         */
        post: operations["verifyWebhookAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai-workflows/api/webhooks/{id}/verify/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a webhook
         * @description The address that creating it answered with; good for 24 hours, and once.
         */
        get: operations["verifyWebhook"];
        put?: never;
        /**
         * Verify a webhook
         * @description The address that creating it answered with; good for 24 hours, and once.
         */
        post: operations["verifyWebhookByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cluster/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the nodes
         * @description Server-sent events: `nodes` with all of them first, then `node_changed` and `node_removed` as it happens; if wanted, `measured` with load, latency and history at most once a second.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Whether to tell what changes all the while, too. */
                    measurements?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A stream that ends when either side closes it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cluster/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes
         * @description Configured nodes in their order, then discovered ones by port.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of the nodes, and how many there are. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            nodes: {
                                /** @description Requests the node is working on for this cluster. */
                                active_connections: number;
                                /** @description Those of them it failed. */
                                failures: number;
                                /** @description Follows from the url, so it stays the same over restarts. */
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                /** @description Why the last probe, or the last request, failed, if it did. */
                                last_error: string | null;
                                /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                                latency: {
                                    ewma: number | null;
                                    p50: number | null;
                                    p95: number | null;
                                };
                                /** @description Those of them that are in memory. */
                                loaded_models: string[];
                                /** @description Models the node had when it last answered, by name. */
                                models: string[];
                                /** @description Requests it was given since the service started. */
                                requests: number;
                                /** @description Who named it; with several, the most binding, in this order. */
                                source: "config" | "runtime" | "kubernetes" | "discovery";
                                /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                                status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                                url: string;
                                /** @description Of the runtime, if it tells. */
                                version: string | null;
                                weight: number;
                            }[];
                            total: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a node
         * @description It is probed at once. A node that was there before keeps its id and what was measured.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        url: string;
                        weight?: number;
                    };
                };
            };
            responses: {
                /** @description The node, not heard from yet. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cluster/nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a node */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The node as it is now, and its last ten minutes. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description The last ten minutes at most. */
                            history: {
                                /**
                                 * Format: date-time
                                 * @description When the last slice is over.
                                 */
                                ends_at: string;
                                /** @description Requests it failed. */
                                failures: number[];
                                /** @description Half of its answers began sooner than this; null where none did. */
                                first_byte_ms: (number | null)[];
                                /** @description What it took to list its models; null where nobody asked. */
                                probe_ms: (number | null)[];
                                /** @description Requests it was given. */
                                requests: number[];
                                slice_seconds: number;
                            };
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a node
         * @description It finishes what it has. It stays away until it is added again or the service restarts, even if a setting or discovery names it.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Gone. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Weigh or drain a node
         * @description A draining node takes no new request and finishes what it has.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        draining?: boolean;
                        weight?: number;
                    };
                };
            };
            responses: {
                /** @description The node as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Requests the node is working on for this cluster. */
                            active_connections: number;
                            /** @description Those of them it failed. */
                            failures: number;
                            /** @description Follows from the url, so it stays the same over restarts. */
                            id: string;
                            /** Format: date-time */
                            last_check: string | null;
                            /** @description Why the last probe, or the last request, failed, if it did. */
                            last_error: string | null;
                            /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                            latency: {
                                ewma: number | null;
                                p50: number | null;
                                p95: number | null;
                            };
                            /** @description Those of them that are in memory. */
                            loaded_models: string[];
                            /** @description Models the node had when it last answered, by name. */
                            models: string[];
                            /** @description Requests it was given since the service started. */
                            requests: number;
                            /** @description Who named it; with several, the most binding, in this order. */
                            source: "config" | "runtime" | "kubernetes" | "discovery";
                            /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                            status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                            url: string;
                            /** @description Of the runtime, if it tells. */
                            version: string | null;
                            weight: number;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/cluster/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Overview of the cluster
         * @description How the cluster is, every node, and every model with the nodes that have it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cluster as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            counts: {
                                draining: number;
                                healthy: number;
                                probing: number;
                                total: number;
                                unhealthy: number;
                                unknown: number;
                            };
                            /** @description The status in a sentence. */
                            message: string;
                            models: {
                                /** @description Whether a healthy node has it. */
                                available: boolean;
                                /** @description What it can do, by what its nodes say; null when none says. */
                                capabilities: string[] | null;
                                /** @description Ids of the nodes that have it in memory. */
                                loaded_on: string[];
                                /**
                                 * Format: date-time
                                 * @description Since when a node has it as it is; the earliest of them.
                                 */
                                modified_at: string | null;
                                name: string;
                                /** @description Ids of the nodes that have it. */
                                nodes: string[];
                                parameter_size: string | null;
                                quantization: string | null;
                                /** @description Bytes on disk. */
                                size: number | null;
                            }[];
                            nodes: {
                                /** @description Requests the node is working on for this cluster. */
                                active_connections: number;
                                /** @description Those of them it failed. */
                                failures: number;
                                /** @description Follows from the url, so it stays the same over restarts. */
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                /** @description Why the last probe, or the last request, failed, if it did. */
                                last_error: string | null;
                                /** @description Milliseconds the node takes to list its models; null until it has answered once. */
                                latency: {
                                    ewma: number | null;
                                    p50: number | null;
                                    p95: number | null;
                                };
                                /** @description Those of them that are in memory. */
                                loaded_models: string[];
                                /** @description Models the node had when it last answered, by name. */
                                models: string[];
                                /** @description Requests it was given since the service started. */
                                requests: number;
                                /** @description Who named it; with several, the most binding, in this order. */
                                source: "config" | "runtime" | "kubernetes" | "discovery";
                                /** @description `unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request. */
                                status: "unknown" | "healthy" | "unhealthy" | "probing" | "draining";
                                url: string;
                                /** @description Of the runtime, if it tells. */
                                version: string | null;
                                weight: number;
                            }[];
                            /** @description Models that requests wait for. */
                            queues: {
                                model: string;
                                waiting: number;
                            }[];
                            /** @description `healthy`: every node is. `degraded`: some are, or none has been heard from yet. `critical`: there is no healthy node. */
                            status: "healthy" | "degraded" | "critical";
                            /** @description How a node is chosen, unless a request says otherwise. */
                            strategy: string;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cluster/strategy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The strategy in force */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Its name, and those it could be. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            available: string[];
                            strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        /**
         * Change the strategy
         * @description For every request from now on, until the service restarts.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                    };
                };
            };
            responses: {
                /** @description The strategy in force. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            strategy: "round-robin" | "least-connections" | "least-latency" | "weighted";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClusterError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API keys that are not revoked
         * @description One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The key acts for the account that makes it. It goes into `Authorization: Bearer` or `X-API-Key`. An account can have 100.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Security events, the newest first
         * @description Sign-ins, failed ones, changes of accounts, roles, keys and clients, and what operators do. Reading on is asking for what came before the last `id`.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for username and password
         * @description After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a sign-in
         * @description Ends what the access token in `Authorization` belongs to, or the sign-in of `refreshToken`: both its tokens stop working.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the next token
         * @description Each refresh token works once. One that is used again ends the sign-in it came from: its tokens stop working at once.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Applications the caller has let in
         * @description The oldest first. `last_used_at` is when the application last got a token.
         */
        get: operations["listAuthorizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Shut an application out
         * @description Its tokens stop working at once, and it has to ask again.
         */
        delete: operations["withdrawAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description As the runtime does: one JSON object for each line, or one in all with `"stream": false`.
         */
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description As the runtime does: one vector for each input, in their order.
         */
        post: operations["embed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the event log
         * @description The newest page; with `after` what came next, with `before` what came earlier.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The last id already seen. */
                    after?: number;
                    /** @description An id to look back from; not together with `after`. */
                    before?: number;
                    limit?: number;
                    /** @description Only events of this type. */
                    type?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Oldest first. */
                            data: {
                                /** @description The account it concerns. */
                                account: string | null;
                                /** Format: date-time */
                                created_at: string;
                                data: {
                                    [key: string]: unknown;
                                };
                                /** @description Grows by one with every event, in the order they were committed. */
                                id: number;
                                /** @description What it happened to. */
                                subject: string | null;
                                /** @description What happened, such as `identity.signed_in`. */
                                type: string;
                            }[];
                            /** @description The id of the newest event; 0 before the first. */
                            last_id: number;
                            /** @description Events in the log that match. */
                            total: number;
                            /** @description Whether events after `after` are no longer kept. */
                            truncated: boolean;
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the event log
         * @description Server-sent events. Each carries its id; a reader that reconnects with `Last-Event-ID` misses and repeats nothing.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Begin after this id; default: now. */
                    after?: number;
                    /** @description Only events of this type. */
                    type?: string;
                };
                header?: {
                    "last-event-id"?: number;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A stream that ends when either side closes it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a prompt
         * @description As the runtime does: one JSON object for each line, or one in all with `"stream": false`.
         */
        post: operations["generate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models
         * @description Every model of every provider, by id; one that several have is there for each of them. A model stays in the list while its nodes, or its provider, cannot be asked; its `state` says so.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered clients
         * @description One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.
         */
        get: operations["listOAuthClients"];
        put?: never;
        /**
         * Register a client
         * @description A client with `authorization_code` also gets `refresh_token`. A public one runs where others can look, in a browser or on a device: it has no secret and no `client_credentials`, and may use a scheme of its own, such as `com.example.app:/signed-in`. An account can have 100.
         */
        post: operations["createOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth-clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One client
         * @description One’s own; with the permission `administer users`, anyone’s.
         */
        get: operations["readOAuthClient"];
        put?: never;
        post?: never;
        /**
         * Remove a client
         * @description Everything that was issued to it stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description One’s own; with the permission `administer users`, anyone’s. Fewer scopes hold at once, for tokens that are out, too.
         */
        patch: operations["updateOAuthClient"];
        trace?: never;
    };
    "/api/v1/oauth-clients/{client_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The old one stops working at once. One’s own; with the permission `administer users`, anyone’s.
         */
        post: operations["replaceOAuthClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Permissions a role can have
         * @description All of them, with what each allows. A later release may have more.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prices that were set here
         * @description By provider and model. All other prices come from the table of this version; `GET /api/v1/models` tells each.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices/{provider}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the price of a model
         * @description It holds for every call that begins from now on, in all replicas, whatever the length of its input. Calls that were made keep the price they were made at.
         */
        put: operations["setPrice"];
        post?: never;
        /**
         * Remove a price that was set here
         * @description From now on the price of the table holds, if it has one.
         */
        delete: operations["removePrice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Providers and how they are
         * @description All of them, in the order in which they are asked. Whether one can be asked is looked at when it was not lately.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{name}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the key of a provider
         * @description Sealed with the secret of this installation; it replaces the one before it and holds in all replicas at once. Refused while the environment has a key, which would win.
         */
        put: operations["storeProviderKey"];
        post?: never;
        /**
         * Remove the stored key of a provider
         * @description Without another key the provider can no longer be asked. A key of the environment stays.
         */
        delete: operations["removeProviderKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{name}/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a provider now
         * @description Asks it whether it is there. Nothing is generated, and nothing is spent.
         */
        post: operations["probeProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Roles and what they allow
         * @description Every account has the role `authenticated`, and who has none has `anonymous`; neither is given to anybody.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description It is there to be given to accounts at once.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description Whoever has it loses it. The roles that came with the platform stay.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Change a role
         * @description It holds at once for everyone who has the role. The permissions of `administrator` are always all of them.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/api/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scopes a key or an application can be limited to
         * @description A credential with a scope reaches what the scope names, and only where its account may go, too.
         */
        get: operations["listScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where one is signed in
         * @description Browsers and programs, the current one first, then the oldest.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else
         * @description Ends every session and every sign-in for tokens but the one this request came with. API keys stay.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one browser or program
         * @description Its cookie, or its tokens, stop working at once.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What runs here */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What runs here. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checks: {
                                [key: string]: string;
                            };
                            database: {
                                connections: {
                                    idle: number;
                                    total: number;
                                    waiting: number;
                                };
                                kind: "embedded" | "server";
                                version: string;
                            };
                            interfaces: {
                                name: string;
                                openapi: string;
                                title: string;
                                version: string;
                            }[];
                            node_version: string;
                            /** @description Model nodes this process knows; empty when the cluster runs elsewhere. */
                            nodes: {
                                id: string;
                                /** Format: date-time */
                                last_check: string | null;
                                last_error: string | null;
                                latency_ms: number | null;
                                models: string[];
                                /** @description `unknown`, `healthy`, `unhealthy`, `probing` or `draining`. */
                                status: string;
                                url: string;
                            }[];
                            role: string;
                            /** Format: date-time */
                            started_at: string;
                            status: "ready" | "degraded";
                            tasks: {
                                /** Format: date-time */
                                due_at: string;
                                interval_seconds: number;
                                last_error: string | null;
                                /** Format: date-time */
                                last_finished_at: string | null;
                                /** Format: date-time */
                                last_started_at: string | null;
                                name: string;
                                running: boolean;
                            }[];
                            uptime_seconds: number;
                            version: string;
                            workers: {
                                alive: boolean;
                                /** Format: date-time */
                                heartbeat_at: string;
                                id: string;
                                name: string;
                                role: string;
                                /** Format: date-time */
                                started_at: string;
                            }[];
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What models were used for
         * @description Added up over days in UTC, both included, the last 30 without. `group_by` tells the sums apart by one or two of account, day, provider, model and source.
         */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is left of today's budget
         * @description Of the account that asks; its tier says how much there is. Days are in UTC.
         */
        get: operations["readBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of models, the newest first
         * @description Reading on is asking for what comes after `next`, so that new calls move nothing.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one’s password
         * @description Ends every other session and sign-in for tokens; the one this request came with stays. Wrong current passwords count like failed attempts to sign in.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account of the caller
         * @description Any credential may read it. The permissions are the account’s; a scope may let fewer through.
         */
        get: operations["readProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what is known of oneself
         * @description What is left out stays as it is; `email: null` removes the address.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts, the oldest first
         * @description All of them, or those in which a text is found. Case does not matter.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create an account
         * @description The tier is `professional` where none is given, and `custom` for an account with a role that allows everything.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account
         * @description With its roles, and what they allow together.
         */
        get: operations["readUser"];
        put?: never;
        post?: never;
        /**
         * Delete an account
         * @description Its sessions, tokens, API keys and OAuth clients go with it. Neither one’s own account nor the last administrator can be deleted.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description What is left out stays as it is; `roles` replaces all of them. It holds at once. Another password, or disabling, ends the sessions and tokens of the account and shuts out the applications it let in. The last administrator stays one, and nobody disables themselves.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "alive";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in Prometheus text format */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All metrics. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a person to let an application in
         * @description For browsers. Leads through sign-in and consent to `redirect_uri` with `code`, or with `error`; `state` and `iss` come along. Scopes are separated by commas, spaces or `+`; without any, all of the client are asked for. PKCE with `S256`, which public clients must use. A client or redirect address that is not registered is answered with a page.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a token is good for
         * @description RFC 7662. A client learns of its own tokens; a caller with the permission `administer users`, by API key or token, of all.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a token back
         * @description RFC 7009. An access or refresh token of this client; both stop working, with all that came from the same authorization. What is no token is answered the same.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for a code, for client credentials or for a refresh token
         * @description The client proves itself by HTTP Basic or by `client_id` and `client_secret`; a public one by PKCE. 60 requests a minute for each client. A refresh token and a code work once; used again they end everything that came from them.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything this server answers, as OpenAPI 3.0.3 in JSON */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything this server answers, as OpenAPI 3.0.3 in YAML */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/yaml": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One interface as an OpenAPI description of its own */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of an interface, with `.yaml` or `.json` */
                    document: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The description. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/yaml": string;
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can it do its work?
         * @description Each condition is checked anew and named.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ready. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Each condition: `ok`, or why it does not hold. */
                            checks: {
                                [key: string]: string;
                            };
                            status: "ready" | "not_ready";
                        };
                    };
                };
                /** @description Not ready; the checks say why. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Each condition: `ok`, or why it does not hold. */
                            checks: {
                                [key: string]: string;
                            };
                            status: "ready" | "not_ready";
                        };
                    };
                };
                /** @description What went wrong, in the shape of this interface. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The CSRF token of the session
         * @description Goes into `X-CSRF-Token` of every write that is authenticated by the cookie `SESS`. Without a session it is a token for a day, for the few writes that ask nobody to sign in.
         */
        get: operations["readSessionToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with username and password
         * @description Opens a session for a browser and sets the cookie `SESS`. A form is answered with a redirect to `destination`, or with the sign-in page again; JSON with JSON. After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie `SESS`. The token of the session goes in `X-CSRF-Token`, or in the field `csrf_token` of a form.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description Fields that are known and not honoured are refused by name; null is as good as left out.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a prompt
         * @description Fields that are known and not honoured are refused by name; null is as good as left out.
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description One vector for each input, as numbers or in base64.
         */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be asked
         * @description Restricted credentials need the scope `models.read` or `models.generate`.
         */
        get: operations["listOpenAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One model
         * @description By its id, slashes and all, or by `provider/id`. Restricted credentials need the scope `models.read` or `models.generate`.
         */
        get: operations["readOpenAiModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ClusterError: {
            error: {
                code: string;
                details: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        GatewayError: {
            code: string;
            error: string;
        };
        IdentityError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        ModelsError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        OpenaiError: {
            error: {
                code: string;
                message: string;
                param: string | null;
                type: string;
            };
        };
        OrchestraError: {
            error: {
                /** @description Such as `WORKFLOW_NOT_FOUND`. */
                code: string;
                /** @description What is known besides. Which fields there are depends on the code. */
                details: {
                    /** @description Everything that is wrong with a request. */
                    problems?: {
                        code: string;
                        message: string;
                        /** @description Such as `options.timeout`. */
                        path: string;
                    }[];
                    /** @description What may have been meant, the likeliest first. */
                    suggestions?: string[];
                } & {
                    [key: string]: unknown;
                };
                /** @description The page about this interface, on the same server. */
                documentation: string;
                /** @description What happened and what to do, for people. */
                message: string;
                /** @description The same as the header `X-Request-Id`. */
                request_id: string;
                /** @description Epoch seconds. */
                timestamp: number;
            };
        };
        PlatformError: {
            error: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                problems?: {
                    code: string;
                    message: string;
                    path: string;
                }[];
                request_id: string;
            };
        };
        WorkflowsError: {
            error: {
                /** @description Such as `FLOW_NOT_FOUND`. */
                code: string;
                /** @description What is known besides. Which fields there are depends on the code. */
                details: {
                    /** @description The execution that failed. */
                    execution_id?: string;
                    /** @description Null when it failed as a whole. */
                    failed_step?: string | null;
                    partial_results?: {
                        /** @description What they left in the shared memory. */
                        available_data: {
                            [key: string]: unknown;
                        };
                        /** @description Steps that had succeeded. */
                        completed_steps: string[];
                    };
                    /** @description Everything that is wrong with a request. */
                    problems?: {
                        code: string;
                        message: string;
                        /** @description Such as `context.metadata.deadline`. */
                        path: string;
                    }[];
                    /** @description Who could not answer; null when nobody is to blame. */
                    provider?: string | null;
                    /** @description Further tries that the failed step had. */
                    retry_attempts?: number;
                    /** @description What may have been meant. */
                    suggestions?: string[];
                    /** @description Seconds it could have taken; null when time was not the reason. */
                    timeout_duration?: number | null;
                } & {
                    [key: string]: unknown;
                };
                /** @description The page about this interface, on the same server. */
                documentation_url: string;
                /** @description What happened and what to do, for people. */
                message: string;
                /** @description What `POST /executions/{execution_id}/recover` could do. Empty where nothing can be recovered. */
                recovery_options: {
                    /** @enum {unknown} */
                    action: "retry_with_different_provider" | "continue_without_failed_step" | "restart_from_checkpoint";
                    /** @description What it does. */
                    description: string;
                    /** @description Dollars; null without any history. */
                    estimated_cost: number | null;
                    /** @description Seconds; null without any history. */
                    estimated_time: number | null;
                    /** @description What it means for the result. */
                    impact: string;
                }[];
                /** @description The same as the header `X-Request-Id`. */
                request_id: string;
                /** @description What to tell whoever runs the server: the log lines of the request carry it. */
                support_reference: string;
                /** @description Epoch seconds. */
                timestamp: number;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every key a valid token may be signed with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: ({
                            kty: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The addresses and abilities of this authorization server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        authorization_endpoint: string;
                        authorization_response_iss_parameter_supported: boolean;
                        code_challenge_methods_supported: string[];
                        grant_types_supported: string[];
                        introspection_endpoint: string;
                        introspection_endpoint_auth_methods_supported: string[];
                        issuer: string;
                        jwks_uri: string;
                        prompt_values_supported: string[];
                        response_modes_supported: string[];
                        response_types_supported: string[];
                        revocation_endpoint: string;
                        revocation_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        service_documentation: string;
                        token_endpoint: string;
                        token_endpoint_auth_methods_supported: string[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readAgentAnalytics: {
        parameters: {
            query?: {
                /** @description Only these agents: repeated, or separated by commas. Default: all. */
                agent_ids?: string[];
                /** @description Whether `cost_analysis` is told; null without. */
                include_costs?: boolean;
                /** @description Whether `recommendation_scores` are told; null without. */
                include_recommendations?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How agents do, what they cost, and when they work. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        analytics: {
                            /** @description Null unless asked for. */
                            cost_analysis: {
                                /** @description Dollars by the id of the agent, the dearest first. */
                                cost_breakdown: {
                                    [key: string]: number;
                                };
                                /** @description Dollars for a run of an agent; null when there were none. */
                                cost_per_execution: number | null;
                                cost_trends: {
                                    /** @description Dollars a day in the last seven, or since anything is known; null when nothing is. */
                                    "7d_average": number | null;
                                    /** @description Percent with its sign against the 24 hours before, such as `+12.5%`; null when these cost nothing. */
                                    "24h_change": string | null;
                                    /** @description Dollars in the next 30 days; null when nothing is known. */
                                    projected_monthly: number | null;
                                    /** @description 0 to 1: how far forecasts of the known days were off; null of an average. */
                                    projection_confidence: number | null;
                                    /** @description `seasonal_smoothing`: exponential smoothing with seasons of a day, or of a week once three are known, over the hours of the last four weeks. `daily_average`: thirty times `7d_average`, with less than three days of history. */
                                    projection_method: string | null;
                                };
                                /** @description On which most was spent; null when nothing cost anything. */
                                most_expensive_agent: string | null;
                                /** @description Dollars, for models and for the agents themselves. */
                                total_cost_24h: number;
                            } | null;
                            execution_patterns: {
                                /** @description Executions of the last 24 hours by workflow, of those in which these agents work; the ten busiest. */
                                common_workflows: {
                                    [key: string]: number;
                                };
                                /** @description By the code of the error, of the same workflows; the most frequent first. */
                                failure_patterns: {
                                    [key: string]: {
                                        /** @description That failed with this code in the last 24 hours. */
                                        executions: number;
                                        /** @description Percent of all failures. */
                                        share: number;
                                        /** @description Where it happened, the most frequent first. */
                                        workflows: string[];
                                    };
                                };
                                /** @description Runs of the last four weeks by the hour of the day in UTC, such as `09:00`; the three busiest. */
                                peak_hours: {
                                    [key: string]: number;
                                };
                                seasonal_trends: {
                                    /** @description Runs by month, such as `2026-11`, of the last twelve. */
                                    monthly_pattern: {
                                        [key: string]: number;
                                    };
                                    /** @description Runs on a day from Monday to Friday, of the days that are over in the last four weeks; null without any. */
                                    weekday_avg: number | null;
                                    /** @description Runs on a Saturday or Sunday, likewise. */
                                    weekend_avg: number | null;
                                };
                            };
                            /** @description By the id of the agent: all there are, and those that worked. */
                            performance_metrics: {
                                [key: string]: {
                                    /** @description Seconds, of the runs that completed; null when none did. */
                                    avg_time: number | null;
                                    /** @description Read and written by models for a run; null when there were none. */
                                    avg_tokens: number | null;
                                    /** @description Average of 0 to 1; null when nothing had one. */
                                    confidence_score: number | null;
                                    /** @description Percent of the runs; null when there were none. */
                                    error_rate: number | null;
                                    /** @description Steps of executions that ended in the last 24 hours which this agent did. */
                                    executions_24h: number;
                                    /** @description Percent of the runs; null when there were none. */
                                    success_rate: number | null;
                                };
                            };
                            /** @description By the id of the agent, 0 to 1, from what it did in the last 24 hours; null of those that did nothing. Null as a whole unless asked for. */
                            recommendation_scores: ({
                                /** @description What scores are made of. */
                                scoring_criteria: string[];
                            } & {
                                [key: string]: number | null;
                            }) | null;
                            usage_statistics: {
                                /** @description Of those that worked; null when none did. */
                                least_used_agent: string | null;
                                /** @description Null when none worked. */
                                most_used_agent: string | null;
                                /** @description Hours of the day in UTC, 0 to 23, in which most was done in the last 24; three at most, the busiest first. */
                                peak_usage_hours: number[];
                                /** @description Percent of all runs, by the id of the agent, the busiest first. */
                                usage_distribution: {
                                    [key: string]: number;
                                };
                            };
                        };
                        /** @description `fresh`: the sums hold everything that had ended. `stale`: so much ended at once that adding it up takes longer. */
                        cache_status: string;
                        /** @description Seconds since everything that had ended was known to be counted; null when that is not known yet. */
                        data_freshness: number | null;
                        /** @description When this was read, epoch seconds. */
                        timestamp: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                category?: "content" | "seo" | "validation" | "transformation" | "analysis";
                /** @description Whether to tell what was measured. */
                include_metrics?: boolean;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description `success_rate` and `usage`: the highest first; `cost`: the lowest average first. Those of which nothing is known come last. */
                sort?: "name" | "success_rate" | "cost" | "usage";
                status?: "active" | "inactive" | "maintenance";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            /** @description Whether it comes with the platform: it can be copied and switched off, not changed. */
                            built_in: boolean;
                            /** @description What it can do. */
                            capabilities: string[];
                            /** @enum {unknown} */
                            category: "content" | "seo" | "validation" | "transformation" | "analysis";
                            configuration: {
                                /** @description Characters. */
                                max_input_length: number;
                                /** @description How often a model is asked again. */
                                retry_limit: number;
                                /** @description Whether its text comes as it is written. */
                                supports_streaming: boolean;
                                /** @description Seconds for one try. */
                                timeout: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description What it is for. */
                            description: string;
                            /** @description Names the agent. */
                            id: string;
                            input_types: ("text" | "markdown" | "html" | "json")[];
                            /** @description What people call it. */
                            label: string;
                            /** @description The model it would ask now, with its price; null when it asks none, or nobody has it. */
                            model: {
                                /** @description The model that would be asked now. */
                                id: string;
                                /** @description Dollars for a million tokens in; null when nobody knows. */
                                input_cost: number | null;
                                /** @description Dollars for a million tokens out; null when nobody knows. */
                                output_cost: number | null;
                                /** @description Who would be asked now. */
                                provider: string;
                            } | null;
                            /** @enum {unknown} */
                            output_format: "json" | "text" | "markdown" | "html";
                            /** @description The account that made it; null for those that come with the platform. */
                            owner_id: string | null;
                            /** @description Null unless `include_metrics` asks for them. */
                            performance_metrics: {
                                /** @description Dollars for a run, over 30 days; null when nothing ran. */
                                average_cost: number | null;
                                /** @description Seconds of the runs of 30 days that succeeded; null when none did. */
                                average_duration: number | null;
                                /** @description Runs of the last 24 hours. */
                                executions_24h: number;
                                /** @description When these numbers were read, in epoch seconds. */
                                last_updated: number;
                                /** @description Percent of the runs of 30 days; null when nothing ran. */
                                success_rate: number | null;
                                /** @description 1 to 5, the mean of what people gave; null when nobody did. */
                                user_rating: number | null;
                            } | (never | null);
                            /** @description What it costs besides the model. */
                            pricing: {
                                /** @description Dollars for a result. */
                                base_cost: number;
                                /** @description Share that is taken off for items of a batch. */
                                bulk_discount: number;
                                /** @description Factor for accounts of the tier enterprise. */
                                enterprise_rate: number;
                                /** @description Dollars for a token of the model. */
                                per_token: number;
                            };
                            /**
                             * @description Only an active one works.
                             * @enum {unknown}
                             */
                            status: "active" | "inactive" | "maintenance";
                            /** @description Codes of languages; `*` is any. */
                            supported_languages: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                            version: string;
                            /** @description Whether it has a result where there is no language model. */
                            works_without_model: boolean;
                        }[];
                        /** @description Every category. */
                        categories: {
                            /** @description How many agents it has, whichever category was asked for. */
                            count: number;
                            /** @enum {unknown} */
                            id: "content" | "seo" | "validation" | "transformation" | "analysis";
                            /** @description For people. */
                            label: string;
                        }[];
                        filters_applied: {
                            /** @description Null: any. */
                            category: string | null;
                            /** @description Whether what was measured is told. */
                            include_metrics: boolean;
                            /** @description What they are ordered by. */
                            sort: string;
                            /** @description Null: any. */
                            status: string | null;
                        };
                        pagination: {
                            /** @description From 1. */
                            page: number;
                            /** @description Most on a page. */
                            per_page: number;
                            /** @description How many there are; 0 without agents. */
                            total_pages: number;
                        };
                        /** @description How many agents there are, on all pages. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Left out: every language, text, Markdown and HTML as input, JSON as output with `output_schema` and else text, the category as its capability, 100,000 characters of input, two minutes, and two more tries of the model. */
                    agent_definition: {
                        /** @description Where the step says nothing else. */
                        ai_options?: {
                            max_tokens?: number;
                            /** @description An id of the model catalogue. Default: the default chain. */
                            model?: string;
                            temperature?: number;
                        };
                        /** @description What is measured before anybody is asked. */
                        analysers?: {
                            /** @enum {unknown} */
                            analyser: "language" | "length" | "readability" | "structure" | "quality" | "seo" | "key_phrases" | "summary" | "sentiment" | "links" | "markup" | "facts" | "personal_data" | "compliance" | "repetition" | "meta" | "data" | "converted";
                            /** @description How many it finds. */
                            most?: number;
                            parameter?: string;
                        }[];
                        /** @description What it makes without a language model: JSON or a text in which `{{analysis.…}}`, `{{content}}` and parameters are filled in. Without one it fails where there is no model. */
                        analysis_output?: unknown;
                        /** @description What it can do, in a word or two each; recommendations go by them. */
                        capabilities?: string[];
                        /** @enum {unknown} */
                        category: "content" | "seo" | "validation" | "transformation" | "analysis";
                        /** @description What its output must satisfy. */
                        checks?: {
                            /** @enum {unknown} */
                            check: "min_length" | "max_length" | "not_longer_than_input" | "min_quality" | "same_language" | "language_is" | "keeps_numbers" | "no_new_numbers" | "keeps_links" | "quotes_input" | "required_fields" | "mentions" | "agrees_with";
                            field?: string;
                            fields?: string[];
                            finding?: string;
                            least?: number;
                            most?: number;
                            /**
                             * @description `fail` has the model asked again, and then fails the step; `warn` takes note and lowers the confidence. Default: `fail`.
                             * @enum {unknown}
                             */
                            on_failure?: "fail" | "warn";
                            parameter?: string;
                            within?: number;
                        }[];
                        /** @description How its decision is told, with fields of the output and `{{analysis.…}}`. Default: that it did its work. */
                        conclusion?: {
                            /** @description What it concluded, such as `{{verdict}}`. */
                            decision: string;
                            /** @description Why, such as `{{reasoning}}`. */
                            reasoning?: string;
                        };
                        configuration?: {
                            /** @description Characters; a longer input is refused. */
                            max_input_length?: number;
                            /** @description How often the model is asked again when its answer has the wrong form or fails a check. */
                            retry_limit?: number;
                            /** @description Whether the text is passed on while it is written. Not for JSON, which is checked first. */
                            supports_streaming?: boolean;
                            /** @description Seconds for one try, whatever it takes part in. */
                            timeout?: number;
                        };
                        /** @description The field of a JSON output with the text that agents after it go on with. A text goes on as a whole. */
                        content_field?: string;
                        /** @description What it is for. */
                        description: string;
                        /** @description Names the agent, also in the steps of flows. */
                        id: string;
                        /** @description What it works on; anything else is refused. Plain text and Markdown cannot be told apart, so one stands for both. */
                        input_types?: ("text" | "markdown" | "html" | "json")[];
                        /** @description What people call it. */
                        label: string;
                        /**
                         * @description `json` is an object as `output_schema` says; a text is brought into the format.
                         * @enum {unknown}
                         */
                        output_format?: "json" | "text" | "markdown" | "html";
                        /** @description JSON Schema of the object it makes. `method` is added: `model` or `analysis`. */
                        output_schema?: {
                            [key: string]: unknown;
                        };
                        parameters?: {
                            [key: string]: {
                                /** @description What it may be. Default: anything. */
                                choices?: string[];
                                /** @description What it is when a step does not give it. Default: an empty text. */
                                default?: string | number | boolean;
                                /** @description What it is for. */
                                description?: string;
                                /** @description Whether a step must give it. Default: false. */
                                required?: boolean;
                            };
                        };
                        /** @description What using the agent costs besides the model. Default: nothing. */
                        pricing?: {
                            /** @description Dollars for each result. */
                            base_cost: number;
                            /** @description Share that is taken off for items of a batch of more than one. */
                            bulk_discount: number;
                            /** @description What the price is multiplied by for accounts of the tier enterprise. */
                            enterprise_rate: number;
                            /** @description Dollars for each token of the model, in and out. */
                            per_token: number;
                        };
                        /** @description What the model is asked, with `{{content}}`, `{{instructions}}`, parameters by their names, and `{{analysis.…}}` for what was measured. Without one no model is asked. */
                        prompt?: string;
                        /** @description Codes such as `en`; `*` is any. An input that is surely in another language is refused. */
                        supported_languages?: string[];
                        /** @description Who the model is to be, with the same names but `{{content}}`. */
                        system_prompt?: string;
                    };
                    /** @description What changed, in your words. */
                    note?: string;
                    /** @enum {unknown} */
                    status?: "active" | "inactive" | "maintenance";
                };
            };
        };
        responses: {
            /** @description What was saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One version of an agent, with everything it does. */
                        agent: {
                            /** @description The agent as it was saved; `PUT` takes it back. */
                            agent_definition: {
                                [key: string]: unknown;
                            };
                            /** @description Whether it comes with the platform: it can be copied and switched off, not changed. */
                            built_in: boolean;
                            /** @description What it can do. */
                            capabilities: string[];
                            /** @enum {unknown} */
                            category: "content" | "seo" | "validation" | "transformation" | "analysis";
                            configuration: {
                                /** @description Characters. */
                                max_input_length: number;
                                /** @description How often a model is asked again. */
                                retry_limit: number;
                                /** @description Whether its text comes as it is written. */
                                supports_streaming: boolean;
                                /** @description Seconds for one try. */
                                timeout: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The version that works when a step names none. */
                            current_revision: number;
                            /** @description What it is for. */
                            description: string;
                            /** @description Names the agent. */
                            id: string;
                            input_types: ("text" | "markdown" | "html" | "json")[];
                            /** @description What people call it. */
                            label: string;
                            /** @description The model it would ask now, with its price; null when it asks none, or nobody has it. */
                            model: {
                                /** @description The model that would be asked now. */
                                id: string;
                                /** @description Dollars for a million tokens in; null when nobody knows. */
                                input_cost: number | null;
                                /** @description Dollars for a million tokens out; null when nobody knows. */
                                output_cost: number | null;
                                /** @description Who would be asked now. */
                                provider: string;
                            } | null;
                            /** @description What changed, in the words of whoever saved it. */
                            note: string | null;
                            /** @enum {unknown} */
                            output_format: "json" | "text" | "markdown" | "html";
                            /** @description The account that made it; null for those that come with the platform. */
                            owner_id: string | null;
                            /** @description Null unless `include_metrics` asks for them. */
                            performance_metrics: {
                                /** @description Dollars for a run, over 30 days; null when nothing ran. */
                                average_cost: number | null;
                                /** @description Seconds of the runs of 30 days that succeeded; null when none did. */
                                average_duration: number | null;
                                /** @description Runs of the last 24 hours. */
                                executions_24h: number;
                                /** @description When these numbers were read, in epoch seconds. */
                                last_updated: number;
                                /** @description Percent of the runs of 30 days; null when nothing ran. */
                                success_rate: number | null;
                                /** @description 1 to 5, the mean of what people gave; null when nobody did. */
                                user_rating: number | null;
                            } | (never | null);
                            /** @description What it costs besides the model. */
                            pricing: {
                                /** @description Dollars for a result. */
                                base_cost: number;
                                /** @description Share that is taken off for items of a batch. */
                                bulk_discount: number;
                                /** @description Factor for accounts of the tier enterprise. */
                                enterprise_rate: number;
                                /** @description Dollars for a token of the model. */
                                per_token: number;
                            };
                            /** @description The same as `version`, as a number. */
                            revision: number;
                            /** @description When this version was saved, in epoch seconds. */
                            saved_at: number;
                            /** @description The account that saved it; null for the platform itself. */
                            saved_by: string | null;
                            /**
                             * @description Only an active one works.
                             * @enum {unknown}
                             */
                            status: "active" | "inactive" | "maintenance";
                            /** @description Codes of languages; `*` is any. */
                            supported_languages: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                            version: string;
                            /** @description Whether it has a result where there is no language model. */
                            works_without_model: boolean;
                        };
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @enum {unknown} */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readAgent: {
        parameters: {
            query?: {
                /** @description The number of the version. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One version of an agent, with everything it does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The agent as it was saved; `PUT` takes it back. */
                        agent_definition: {
                            [key: string]: unknown;
                        };
                        /** @description Whether it comes with the platform: it can be copied and switched off, not changed. */
                        built_in: boolean;
                        /** @description What it can do. */
                        capabilities: string[];
                        /** @enum {unknown} */
                        category: "content" | "seo" | "validation" | "transformation" | "analysis";
                        configuration: {
                            /** @description Characters. */
                            max_input_length: number;
                            /** @description How often a model is asked again. */
                            retry_limit: number;
                            /** @description Whether its text comes as it is written. */
                            supports_streaming: boolean;
                            /** @description Seconds for one try. */
                            timeout: number;
                        };
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description The version that works when a step names none. */
                        current_revision: number;
                        /** @description What it is for. */
                        description: string;
                        /** @description Names the agent. */
                        id: string;
                        input_types: ("text" | "markdown" | "html" | "json")[];
                        /** @description What people call it. */
                        label: string;
                        /** @description The model it would ask now, with its price; null when it asks none, or nobody has it. */
                        model: {
                            /** @description The model that would be asked now. */
                            id: string;
                            /** @description Dollars for a million tokens in; null when nobody knows. */
                            input_cost: number | null;
                            /** @description Dollars for a million tokens out; null when nobody knows. */
                            output_cost: number | null;
                            /** @description Who would be asked now. */
                            provider: string;
                        } | null;
                        /** @description What changed, in the words of whoever saved it. */
                        note: string | null;
                        /** @enum {unknown} */
                        output_format: "json" | "text" | "markdown" | "html";
                        /** @description The account that made it; null for those that come with the platform. */
                        owner_id: string | null;
                        /** @description Null unless `include_metrics` asks for them. */
                        performance_metrics: {
                            /** @description Dollars for a run, over 30 days; null when nothing ran. */
                            average_cost: number | null;
                            /** @description Seconds of the runs of 30 days that succeeded; null when none did. */
                            average_duration: number | null;
                            /** @description Runs of the last 24 hours. */
                            executions_24h: number;
                            /** @description When these numbers were read, in epoch seconds. */
                            last_updated: number;
                            /** @description Percent of the runs of 30 days; null when nothing ran. */
                            success_rate: number | null;
                            /** @description 1 to 5, the mean of what people gave; null when nobody did. */
                            user_rating: number | null;
                        } | (never | null);
                        /** @description What it costs besides the model. */
                        pricing: {
                            /** @description Dollars for a result. */
                            base_cost: number;
                            /** @description Share that is taken off for items of a batch. */
                            bulk_discount: number;
                            /** @description Factor for accounts of the tier enterprise. */
                            enterprise_rate: number;
                            /** @description Dollars for a token of the model. */
                            per_token: number;
                        };
                        /** @description The same as `version`, as a number. */
                        revision: number;
                        /** @description When this version was saved, in epoch seconds. */
                        saved_at: number;
                        /** @description The account that saved it; null for the platform itself. */
                        saved_by: string | null;
                        /**
                         * @description Only an active one works.
                         * @enum {unknown}
                         */
                        status: "active" | "inactive" | "maintenance";
                        /** @description Codes of languages; `*` is any. */
                        supported_languages: string[];
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                        version: string;
                        /** @description Whether it has a result where there is no language model. */
                        works_without_model: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    changeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The agent as it shall be, whether it works, or both. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Left out: every language, text, Markdown and HTML as input, JSON as output with `output_schema` and else text, the category as its capability, 100,000 characters of input, two minutes, and two more tries of the model. */
                    agent_definition?: {
                        /** @description Where the step says nothing else. */
                        ai_options?: {
                            max_tokens?: number;
                            /** @description An id of the model catalogue. Default: the default chain. */
                            model?: string;
                            temperature?: number;
                        };
                        /** @description What is measured before anybody is asked. */
                        analysers?: {
                            /** @enum {unknown} */
                            analyser: "language" | "length" | "readability" | "structure" | "quality" | "seo" | "key_phrases" | "summary" | "sentiment" | "links" | "markup" | "facts" | "personal_data" | "compliance" | "repetition" | "meta" | "data" | "converted";
                            /** @description How many it finds. */
                            most?: number;
                            parameter?: string;
                        }[];
                        /** @description What it makes without a language model: JSON or a text in which `{{analysis.…}}`, `{{content}}` and parameters are filled in. Without one it fails where there is no model. */
                        analysis_output?: unknown;
                        /** @description What it can do, in a word or two each; recommendations go by them. */
                        capabilities?: string[];
                        /** @enum {unknown} */
                        category: "content" | "seo" | "validation" | "transformation" | "analysis";
                        /** @description What its output must satisfy. */
                        checks?: {
                            /** @enum {unknown} */
                            check: "min_length" | "max_length" | "not_longer_than_input" | "min_quality" | "same_language" | "language_is" | "keeps_numbers" | "no_new_numbers" | "keeps_links" | "quotes_input" | "required_fields" | "mentions" | "agrees_with";
                            field?: string;
                            fields?: string[];
                            finding?: string;
                            least?: number;
                            most?: number;
                            /**
                             * @description `fail` has the model asked again, and then fails the step; `warn` takes note and lowers the confidence. Default: `fail`.
                             * @enum {unknown}
                             */
                            on_failure?: "fail" | "warn";
                            parameter?: string;
                            within?: number;
                        }[];
                        /** @description How its decision is told, with fields of the output and `{{analysis.…}}`. Default: that it did its work. */
                        conclusion?: {
                            /** @description What it concluded, such as `{{verdict}}`. */
                            decision: string;
                            /** @description Why, such as `{{reasoning}}`. */
                            reasoning?: string;
                        };
                        configuration?: {
                            /** @description Characters; a longer input is refused. */
                            max_input_length?: number;
                            /** @description How often the model is asked again when its answer has the wrong form or fails a check. */
                            retry_limit?: number;
                            /** @description Whether the text is passed on while it is written. Not for JSON, which is checked first. */
                            supports_streaming?: boolean;
                            /** @description Seconds for one try, whatever it takes part in. */
                            timeout?: number;
                        };
                        /** @description The field of a JSON output with the text that agents after it go on with. A text goes on as a whole. */
                        content_field?: string;
                        /** @description What it is for. */
                        description: string;
                        /** @description Names the agent, also in the steps of flows. */
                        id: string;
                        /** @description What it works on; anything else is refused. Plain text and Markdown cannot be told apart, so one stands for both. */
                        input_types?: ("text" | "markdown" | "html" | "json")[];
                        /** @description What people call it. */
                        label: string;
                        /**
                         * @description `json` is an object as `output_schema` says; a text is brought into the format.
                         * @enum {unknown}
                         */
                        output_format?: "json" | "text" | "markdown" | "html";
                        /** @description JSON Schema of the object it makes. `method` is added: `model` or `analysis`. */
                        output_schema?: {
                            [key: string]: unknown;
                        };
                        parameters?: {
                            [key: string]: {
                                /** @description What it may be. Default: anything. */
                                choices?: string[];
                                /** @description What it is when a step does not give it. Default: an empty text. */
                                default?: string | number | boolean;
                                /** @description What it is for. */
                                description?: string;
                                /** @description Whether a step must give it. Default: false. */
                                required?: boolean;
                            };
                        };
                        /** @description What using the agent costs besides the model. Default: nothing. */
                        pricing?: {
                            /** @description Dollars for each result. */
                            base_cost: number;
                            /** @description Share that is taken off for items of a batch of more than one. */
                            bulk_discount: number;
                            /** @description What the price is multiplied by for accounts of the tier enterprise. */
                            enterprise_rate: number;
                            /** @description Dollars for each token of the model, in and out. */
                            per_token: number;
                        };
                        /** @description What the model is asked, with `{{content}}`, `{{instructions}}`, parameters by their names, and `{{analysis.…}}` for what was measured. Without one no model is asked. */
                        prompt?: string;
                        /** @description Codes such as `en`; `*` is any. An input that is surely in another language is refused. */
                        supported_languages?: string[];
                        /** @description Who the model is to be, with the same names but `{{content}}`. */
                        system_prompt?: string;
                    };
                    /** @description The version you made your change on. When it is no longer the current one, nothing is saved (409). The same as `If-Match`. */
                    expected_version?: number;
                    /** @description What changed, in your words. */
                    note?: string;
                    /** @enum {unknown} */
                    status?: "active" | "inactive" | "maintenance";
                };
            };
        };
        responses: {
            /** @description What was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One version of an agent, with everything it does. */
                        agent: {
                            /** @description The agent as it was saved; `PUT` takes it back. */
                            agent_definition: {
                                [key: string]: unknown;
                            };
                            /** @description Whether it comes with the platform: it can be copied and switched off, not changed. */
                            built_in: boolean;
                            /** @description What it can do. */
                            capabilities: string[];
                            /** @enum {unknown} */
                            category: "content" | "seo" | "validation" | "transformation" | "analysis";
                            configuration: {
                                /** @description Characters. */
                                max_input_length: number;
                                /** @description How often a model is asked again. */
                                retry_limit: number;
                                /** @description Whether its text comes as it is written. */
                                supports_streaming: boolean;
                                /** @description Seconds for one try. */
                                timeout: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The version that works when a step names none. */
                            current_revision: number;
                            /** @description What it is for. */
                            description: string;
                            /** @description Names the agent. */
                            id: string;
                            input_types: ("text" | "markdown" | "html" | "json")[];
                            /** @description What people call it. */
                            label: string;
                            /** @description The model it would ask now, with its price; null when it asks none, or nobody has it. */
                            model: {
                                /** @description The model that would be asked now. */
                                id: string;
                                /** @description Dollars for a million tokens in; null when nobody knows. */
                                input_cost: number | null;
                                /** @description Dollars for a million tokens out; null when nobody knows. */
                                output_cost: number | null;
                                /** @description Who would be asked now. */
                                provider: string;
                            } | null;
                            /** @description What changed, in the words of whoever saved it. */
                            note: string | null;
                            /** @enum {unknown} */
                            output_format: "json" | "text" | "markdown" | "html";
                            /** @description The account that made it; null for those that come with the platform. */
                            owner_id: string | null;
                            /** @description Null unless `include_metrics` asks for them. */
                            performance_metrics: {
                                /** @description Dollars for a run, over 30 days; null when nothing ran. */
                                average_cost: number | null;
                                /** @description Seconds of the runs of 30 days that succeeded; null when none did. */
                                average_duration: number | null;
                                /** @description Runs of the last 24 hours. */
                                executions_24h: number;
                                /** @description When these numbers were read, in epoch seconds. */
                                last_updated: number;
                                /** @description Percent of the runs of 30 days; null when nothing ran. */
                                success_rate: number | null;
                                /** @description 1 to 5, the mean of what people gave; null when nobody did. */
                                user_rating: number | null;
                            } | (never | null);
                            /** @description What it costs besides the model. */
                            pricing: {
                                /** @description Dollars for a result. */
                                base_cost: number;
                                /** @description Share that is taken off for items of a batch. */
                                bulk_discount: number;
                                /** @description Factor for accounts of the tier enterprise. */
                                enterprise_rate: number;
                                /** @description Dollars for a token of the model. */
                                per_token: number;
                            };
                            /** @description The same as `version`, as a number. */
                            revision: number;
                            /** @description When this version was saved, in epoch seconds. */
                            saved_at: number;
                            /** @description The account that saved it; null for the platform itself. */
                            saved_by: string | null;
                            /**
                             * @description Only an active one works.
                             * @enum {unknown}
                             */
                            status: "active" | "inactive" | "maintenance";
                            /** @description Codes of languages; `*` is any. */
                            supported_languages: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                            version: string;
                            /** @description Whether it has a result where there is no language model. */
                            works_without_model: boolean;
                        };
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @enum {unknown} */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is gone. What it made stays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Named the agent. */
                        agent_id: string;
                        /** @enum {unknown} */
                        status: "deleted";
                        /** @description Always true. */
                        success: boolean;
                        /** @description Workflows that name it, whose executions fail from now on. */
                        used_by: string[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readAgentRating: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @description The newest, of whomever. */
                        comments: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        }[];
                        distribution: {
                            /** @description How many gave 1. */
                            1: number;
                            /** @description How many gave 2. */
                            2: number;
                            /** @description How many gave 3. */
                            3: number;
                            /** @description How many gave 4. */
                            4: number;
                            /** @description How many gave 5. */
                            5: number;
                        };
                        /** @description What you gave; null when you did not. */
                        mine: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description What it is about. */
                            execution_id: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        } | null;
                        /** @description How many rated it. */
                        ratings: number;
                        /** @description The mean; null while nobody rated it. */
                        user_rating: number | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    rateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    comment?: string;
                    /** @description An execution of yours in which the agent worked. */
                    execution_id?: string;
                    /** @description 1 is worst, 5 is best. */
                    rating: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @description The newest, of whomever. */
                        comments: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        }[];
                        distribution: {
                            /** @description How many gave 1. */
                            1: number;
                            /** @description How many gave 2. */
                            2: number;
                            /** @description How many gave 3. */
                            3: number;
                            /** @description How many gave 4. */
                            4: number;
                            /** @description How many gave 5. */
                            5: number;
                        };
                        /** @description What you gave; null when you did not. */
                        mine: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description What it is about. */
                            execution_id: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        } | null;
                        /** @description How many rated it. */
                        ratings: number;
                        /** @enum {unknown} */
                        status: "created" | "updated";
                        /** @description Always true. */
                        success: boolean;
                        /** @description The mean; null while nobody rated it. */
                        user_rating: number | null;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @description The newest, of whomever. */
                        comments: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        }[];
                        distribution: {
                            /** @description How many gave 1. */
                            1: number;
                            /** @description How many gave 2. */
                            2: number;
                            /** @description How many gave 3. */
                            3: number;
                            /** @description How many gave 4. */
                            4: number;
                            /** @description How many gave 5. */
                            5: number;
                        };
                        /** @description What you gave; null when you did not. */
                        mine: {
                            /** @description What they said about it. */
                            comment: string | null;
                            /** @description What it is about. */
                            execution_id: string | null;
                            /** @description 1 to 5. */
                            rating: number;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        } | null;
                        /** @description How many rated it. */
                        ratings: number;
                        /** @enum {unknown} */
                        status: "created" | "updated";
                        /** @description Always true. */
                        success: boolean;
                        /** @description The mean; null while nobody rated it. */
                        user_rating: number | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    rollBackAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version you made your change on. When it is no longer the current one, nothing is saved (409). The same as `If-Match`. */
                    expected_version?: number;
                    /** @description What changed, in your words. */
                    note?: string;
                    /** @description The version that shall be again. */
                    version: number;
                };
            };
        };
        responses: {
            /** @description What was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One version of an agent, with everything it does. */
                        agent: {
                            /** @description The agent as it was saved; `PUT` takes it back. */
                            agent_definition: {
                                [key: string]: unknown;
                            };
                            /** @description Whether it comes with the platform: it can be copied and switched off, not changed. */
                            built_in: boolean;
                            /** @description What it can do. */
                            capabilities: string[];
                            /** @enum {unknown} */
                            category: "content" | "seo" | "validation" | "transformation" | "analysis";
                            configuration: {
                                /** @description Characters. */
                                max_input_length: number;
                                /** @description How often a model is asked again. */
                                retry_limit: number;
                                /** @description Whether its text comes as it is written. */
                                supports_streaming: boolean;
                                /** @description Seconds for one try. */
                                timeout: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The version that works when a step names none. */
                            current_revision: number;
                            /** @description What it is for. */
                            description: string;
                            /** @description Names the agent. */
                            id: string;
                            input_types: ("text" | "markdown" | "html" | "json")[];
                            /** @description What people call it. */
                            label: string;
                            /** @description The model it would ask now, with its price; null when it asks none, or nobody has it. */
                            model: {
                                /** @description The model that would be asked now. */
                                id: string;
                                /** @description Dollars for a million tokens in; null when nobody knows. */
                                input_cost: number | null;
                                /** @description Dollars for a million tokens out; null when nobody knows. */
                                output_cost: number | null;
                                /** @description Who would be asked now. */
                                provider: string;
                            } | null;
                            /** @description What changed, in the words of whoever saved it. */
                            note: string | null;
                            /** @enum {unknown} */
                            output_format: "json" | "text" | "markdown" | "html";
                            /** @description The account that made it; null for those that come with the platform. */
                            owner_id: string | null;
                            /** @description Null unless `include_metrics` asks for them. */
                            performance_metrics: {
                                /** @description Dollars for a run, over 30 days; null when nothing ran. */
                                average_cost: number | null;
                                /** @description Seconds of the runs of 30 days that succeeded; null when none did. */
                                average_duration: number | null;
                                /** @description Runs of the last 24 hours. */
                                executions_24h: number;
                                /** @description When these numbers were read, in epoch seconds. */
                                last_updated: number;
                                /** @description Percent of the runs of 30 days; null when nothing ran. */
                                success_rate: number | null;
                                /** @description 1 to 5, the mean of what people gave; null when nobody did. */
                                user_rating: number | null;
                            } | (never | null);
                            /** @description What it costs besides the model. */
                            pricing: {
                                /** @description Dollars for a result. */
                                base_cost: number;
                                /** @description Share that is taken off for items of a batch. */
                                bulk_discount: number;
                                /** @description Factor for accounts of the tier enterprise. */
                                enterprise_rate: number;
                                /** @description Dollars for a token of the model. */
                                per_token: number;
                            };
                            /** @description The same as `version`, as a number. */
                            revision: number;
                            /** @description When this version was saved, in epoch seconds. */
                            saved_at: number;
                            /** @description The account that saved it; null for the platform itself. */
                            saved_by: string | null;
                            /**
                             * @description Only an active one works.
                             * @enum {unknown}
                             */
                            status: "active" | "inactive" | "maintenance";
                            /** @description Codes of languages; `*` is any. */
                            supported_languages: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                            version: string;
                            /** @description Whether it has a result where there is no language model. */
                            works_without_model: boolean;
                        };
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @enum {unknown} */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the agent. */
                        agent_id: string;
                        /** @description How many there are, on all pages. */
                        total: number;
                        versions: {
                            /** @description Whether it works when a step names none. */
                            current: boolean;
                            /** @description What people call it. */
                            label: string;
                            /** @description What changed, in the words of whoever saved it. */
                            note: string | null;
                            /** @description The same as a number. */
                            revision: number;
                            /** @description Epoch seconds. */
                            saved_at: number;
                            /** @description The account that saved it. */
                            saved_by: string | null;
                            /** @description The number of its version, as steps name it: `1`, and one more with each save. */
                            version: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    recommendAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    context: {
                        /** @description Characters of the content. Agents that take less are left out. */
                        content_length?: number;
                        /** @description What the content is, such as `article`, or its format, such as `html`. */
                        content_type?: string;
                        /** @description How good it is now, 0 to 100; up to 1 counts as a share of 100. */
                        current_quality_score?: number;
                        /**
                         * Format: date-time
                         * @description Agents that would be done later are left out.
                         */
                        deadline?: string;
                        /** @description Its language, as a code or a name. Agents that do not know it are left out. */
                        language?: string;
                        /** @description What search engines are to find; agents that work on it rank higher. */
                        seo_requirements?: string[];
                        /** @description Who is to read it. */
                        target_audience?: string;
                    };
                    preferences?: {
                        /** @description Adds what each score is made of, with its weight and the evidence for it. */
                        explain_recommendations?: boolean;
                        /**
                         * @description What counts most. Default: balanced.
                         * @default balanced
                         * @enum {unknown}
                         */
                        prioritize?: "quality" | "cost" | "speed" | "balanced";
                        /**
                         * @description How agents are judged of which little is known: by the rate of success they reach at least (`low`), likely (`medium`) or at best (`high`). Default: medium.
                         * @default medium
                         * @enum {unknown}
                         */
                        risk_tolerance?: "low" | "medium" | "high";
                    };
                    requirements?: {
                        /** @description Agents that are not wanted. */
                        exclude_agents?: string[];
                        /** @description Dollars for a run. */
                        max_cost?: number;
                        /** @description Seconds for a run. */
                        max_duration?: number;
                        /** @description Agents of which less is known are left out. */
                        min_confidence?: number;
                        /** @description Asked before others where an agent names no model. Agents that none of these would answer are left out. */
                        preferred_providers?: string[];
                        /**
                         * @description Agents whose texts were measured below it are left out: `standard` is 50 of 100, `high` 60, `premium` 75.
                         * @enum {unknown}
                         */
                        quality_level?: "draft" | "standard" | "high" | "premium";
                    };
                };
            };
        };
        responses: {
            /** @description Agents that suit a content, the best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        context_analysis: {
                            /** @description `low`, `medium` or `high`, by length, what search engines are to find, and what is missing in quality; null when nothing of it was said. */
                            complexity: string | null;
                            /** @description The type of content that was named; null when none was. */
                            domain: string | null;
                            /** @description A quarter of the characters; null without a length. */
                            estimated_tokens: number | null;
                            /** @description 0 to 1: the mean of how full the best agent is with this content, what is missing in quality, and how much of the time it needs, as far as known; null when nothing is. */
                            processing_difficulty: number | null;
                            /** @description Workflows in which recommended agents work, those with most of them first. */
                            similar_workflows: string[];
                            /** @description What speaks for the first recommendation. */
                            success_factors: string[];
                        };
                        /** @description Of a run of the first recommendation; null where nobody can tell. */
                        cost_breakdown: {
                            /** @description Dollars for the model. */
                            base_processing: number | null;
                            /** @description Dollars less for each item of a batch of more than one; not in the total. */
                            bulk_discount: number | null;
                            /** @description Dollars that the agent costs besides the model. */
                            premium_features: number | null;
                            /** @description Dollars. */
                            total_estimated: number | null;
                        };
                        /** @description Agents that were left out, and why. */
                        excluded_agents: {
                            agent_id: string;
                            reasons: string[];
                        }[];
                        /** @description Epoch seconds. */
                        recommendation_timestamp: number;
                        /** @description Ten at most, the best first. */
                        recommendations: {
                            agent_id: string;
                            /** @description The same agent with other models; three at most. */
                            alternative_configs: {
                                /** @description 0 to 1: how good texts of this model were measured to be, in all flows; null when none was. */
                                accuracy: number | null;
                                /** @description The model that would answer instead. */
                                config: string;
                                /** @description Dollars for a run; null when nobody can tell. */
                                cost: number | null;
                                /** @description Seconds an answer of this model took on average, in all flows; null when it was not asked. */
                                duration: number | null;
                                /** @description What to set in the step of the agent. */
                                settings: {
                                    [key: string]: unknown;
                                };
                            }[];
                            category: string;
                            /** @description 0 to 1, how much is known: 0.5 × n / (n + 10) for n runs, 0.3 × the share of what was asked that could be judged, 0.2 × how reliable the estimates are. */
                            confidence: number;
                            /** @description What speaks against it. */
                            cons: string[];
                            /** @description Dollars for a run; null when nobody can tell. */
                            estimated_cost: number | null;
                            /** @description `agent_history`: its runs of the last 30 days. `catalogue`: the price of the model and of the agent. Null without an estimate. */
                            estimated_cost_source: string | null;
                            /** @description Seconds: the middle of its runs; null when it has none. */
                            estimated_duration: number | null;
                            /** @description With `explain_recommendations`: what `match_score` is made of, and the part `fit` of it. */
                            explanation?: {
                                fit: {
                                    evidence: string;
                                    factor: string;
                                    /** @description 0 to 1; null: nothing is known. In `match` that counts as 0.5, in `fit` not at all. */
                                    score: number | null;
                                    /** @description Against the other factors of the same list. */
                                    weight: number;
                                }[];
                                match: {
                                    evidence: string;
                                    factor: string;
                                    /** @description 0 to 1; null: nothing is known. In `match` that counts as 0.5, in `fit` not at all. */
                                    score: number | null;
                                    /** @description Against the other factors of the same list. */
                                    weight: number;
                                }[];
                            };
                            label: string;
                            /** @description 0 to 1: the mean of fit, success, quality, cost and speed, weighted as `prioritize` says. What is not known counts as 0.5. */
                            match_score: number;
                            /** @description The model that would answer it now; null likewise. */
                            model: string | null;
                            /** @description What speaks for it. */
                            pros: string[];
                            /** @description Who would answer it now; null when it asks no model, or nobody can. */
                            provider: string | null;
                            /** @description Points that its texts were measured above `current_quality_score`; null when either is not known. */
                            quality_improvement_potential: number | null;
                            /** @description Why, in a sentence or two. */
                            reasoning: string;
                            /** @description Runs of the last 30 days that completed or failed. */
                            sample_size: number;
                            /** @description 0 to 1: (completed + 1) / (runs + 2); null without runs. */
                            success_probability: number | null;
                        }[];
                        /** @description All agents there are. */
                        total_agents_analyzed: number;
                        /** @description Agents of different kinds that go together. */
                        workflow_suggestions: {
                            /** @description In their order. */
                            agents: string[];
                            /** @description That of the agent of which least is known. */
                            confidence: number;
                            /** @description Dollars; null when that of one of them is not known. */
                            estimated_total_cost: number | null;
                            /** @description Seconds; null likewise. */
                            estimated_total_duration: number | null;
                            /** @enum {unknown} */
                            type: "sequential" | "parallel";
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    executeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What placeholders of the workflow can read; further fields are welcome, as it needs them. */
                    context?: {
                        /** @description What the agents work on, as `{{content}}`. */
                        content?: unknown;
                        metadata?: {
                            /** @description For prompts, as `{{metadata.category}}`. */
                            category?: string;
                            /**
                             * @description Higher ones leave the queue sooner. Default: normal.
                             * @enum {unknown}
                             */
                            priority?: "low" | "normal" | "high" | "urgent";
                            /** @description Where it comes from; for prompts, as `{{metadata.source}}`. */
                            source?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What it is about, in your own system; for prompts, as `{{node_id}}`. */
                        node_id?: string | number;
                        /** @description For whom it is, in your own system; for prompts, as `{{user_id}}`. */
                        user_id?: string | number;
                    } & {
                        [key: string]: unknown;
                    };
                    options?: {
                        /** @description Whether it is put into the queue instead of being waited for. Default: false. */
                        async?: boolean;
                        /**
                         * Format: uri
                         * @description Is sent `workflow.completed` or `workflow.failed`, signed with the secret in `callback_info`.
                         */
                        callback_url?: string;
                        monitoring?: {
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether `callback_url` is also sent `workflow.progress`. Default: false. */
                            send_progress_updates?: boolean;
                            /** @description Whether what steps made on the way is shown and kept, not the results alone. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        /**
                         * Format: email
                         * @description Is told of the end by mail; where no mail is sent, `warnings` says so.
                         */
                        notification_email?: string;
                        /** @description Further tries of a step that says nothing itself. Default: what the workflow says, else none. */
                        retry_attempts?: number;
                        /** @description Seconds the whole execution may take. Default: what the workflow says, else an hour. */
                        timeout?: number;
                    };
                    /** @description An id of `GET /workflows`. */
                    workflow_id: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        callback_info: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        execution_id: string;
                        metrics: {
                            /** @description Calls to models. */
                            ai_calls: number;
                            /** @description Answers that were remembered. */
                            cache_hits: number;
                            /** @description Who answered. */
                            providers_used: string[];
                            /** @description Tokens that went in and came out. */
                            total_tokens: number;
                        };
                        result: {
                            /** @description Dollars it cost, as far as models and agents have a price. */
                            cost_estimate: number;
                            /** @description Seconds from its begin to its end. */
                            execution_time: number;
                            /** @description What each step made, by its id; without `track_intermediate_results` those of the last ones. */
                            results: {
                                [key: string]: unknown;
                            };
                            /** @description In the order the steps ended. */
                            step_details: {
                                /** @description Who did it; null for steps that are no agents. */
                                agent: string | null;
                                /** @description Dollars; null when a model without a price answered. */
                                cost: number | null;
                                /** @description Seconds. */
                                duration: number;
                                step_id: string;
                                success: boolean;
                                /** @description Tokens that went in and came out. */
                                tokens_used: number;
                            }[];
                            /** @description Steps that ran. */
                            steps_executed: number;
                            workflow_id: string;
                        };
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It completed, or was accepted. */
                        success: boolean;
                        /** @description Epoch seconds of this answer. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Null when nobody has to agree.
                         * @enum {string|null}
                         */
                        approval: "pending" | "approved" | "rejected" | null;
                        callback_info: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        /** @description Epoch seconds; null when nobody can tell. */
                        estimated_completion_time: number | null;
                        /** @description Epoch seconds; null when nobody can tell. */
                        estimated_start_time: number | null;
                        execution_id: string;
                        metrics: {
                            /** @description Null: not known yet. */
                            ai_calls: number | null;
                            /** @description Null: not known yet. */
                            cache_hits: number | null;
                            /** @description Empty: nobody was asked. */
                            providers_used: string[];
                            /** @description Null: not known yet. */
                            total_tokens: number | null;
                        };
                        /** @description 1 is next; null when it does not wait in the queue. */
                        queue_position: number | null;
                        result: {
                            /** @description Dollars it is likely to cost; null without any history or price. */
                            cost_estimate: number | null;
                            /** @description Null: it is not over. */
                            execution_time: number | null;
                            /**
                             * @description Not known yet.
                             * @enum {object|null}
                             */
                            results: never | null;
                            /** @description Empty: nothing has run. */
                            step_details: {
                                /** @description Who did it; null for steps that are no agents. */
                                agent: string | null;
                                /** @description Dollars; null when a model without a price answered. */
                                cost: number | null;
                                /** @description Seconds. */
                                duration: number;
                                step_id: string;
                                success: boolean;
                                /** @description Tokens that went in and came out. */
                                tokens_used: number;
                            }[];
                            /** @description Null: it is not over. */
                            steps_executed: number | null;
                            workflow_id: string;
                        };
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Where to see how it goes. */
                        status_url: string;
                        /** @description It completed, or was accepted. */
                        success: boolean;
                        /** @description Epoch seconds of this answer. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: {
                /** @description Asks every provider now, for five seconds at most, in place of what the last probe saw. */
                check_providers?: boolean;
                /** @description Adds `details`: processes, workers, providers, interfaces and thresholds, each by itself. */
                include_details?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How every part of the platform is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What is not well, the worst first. */
                        alerts: {
                            /** @description The component it is about. */
                            component: string;
                            /** @description What follows from it. */
                            impact: string;
                            /** @enum {unknown} */
                            level: "info" | "warning" | "critical";
                            /** @description What is wrong. */
                            message: string;
                            /** @description Epoch seconds. */
                            since: number;
                        }[];
                        components: {
                            ai_providers: {
                                /** @description Those that are set up and not online. */
                                degraded_providers: string[];
                                /** @description Those that are online. */
                                healthy_providers: number;
                                /**
                                 * @description partial: it works, and not all is well.
                                 * @enum {unknown}
                                 */
                                status: "healthy" | "partial" | "offline";
                                /** @description Those that are set up. */
                                total_providers: number;
                            };
                            /** @description Answers of models that this process remembers, since it began. */
                            cache: {
                                /** @description Percent of remembered answers that made room for others; null without any. */
                                eviction_rate: number | null;
                                /** @description Percent of deterministic calls that were remembered; null without calls. */
                                hit_rate: number | null;
                                /** @description What remembered answers take. */
                                memory_bytes: number;
                                /** @description Percent of its room; null when it is switched off. */
                                memory_usage: number | null;
                                /**
                                 * @description partial: it works, and not all is well.
                                 * @enum {unknown}
                                 */
                                status: "healthy" | "partial" | "offline";
                            };
                            database: {
                                connection_pool: {
                                    /** @description Those nobody uses. */
                                    idle: number;
                                    /** @description Those somebody uses. */
                                    in_use: number;
                                    /** @description Open connections of this process. */
                                    total: number;
                                    /** @description Callers that wait for one. */
                                    waiting: number;
                                };
                                /** @description Seconds that a query by key took just now. */
                                query_performance: number;
                                /** @description Seconds of the replica that is furthest behind; null without replicas. */
                                replication_lag: number | null;
                                /**
                                 * @description partial: it works, and not all is well.
                                 * @enum {unknown}
                                 */
                                status: "healthy" | "partial" | "offline";
                            };
                            orchestrator: {
                                /** @description When the youngest process of the platform began. Epoch seconds. */
                                last_restart: number;
                                /** @description Seconds, on the average of the last hour; null without requests. */
                                response_time: number | null;
                                /**
                                 * @description partial: it works, and not all is well.
                                 * @enum {unknown}
                                 */
                                status: "healthy" | "partial" | "offline";
                                /** @description Seconds since the process that answers began. */
                                uptime: number;
                            };
                            queue_processor: {
                                /** @description Executions that failed in the last 24 hours. */
                                failed_jobs_24h: number;
                                /** @description Executions that ended in a minute, in the last quarter of an hour. */
                                processing_rate: number;
                                /** @description Executions that wait, whatever for. */
                                queue_size: number;
                                /**
                                 * @description partial: it works, and not all is well.
                                 * @enum {unknown}
                                 */
                                status: "healthy" | "partial" | "offline";
                            };
                        };
                        /** @description Only with `include_details`. */
                        details?: {
                            interfaces: {
                                /** @description Seconds. */
                                avg_response_time: number | null;
                                /** @description As in the OpenAPI description. */
                                name: string;
                                /** @description Of the last hour. */
                                requests: number;
                            }[];
                            processes: {
                                /** @description Percent of one processor. */
                                cpu_usage: number;
                                /** @description Seconds its event loop was late, on the average. */
                                event_loop_delay: number;
                                /** @description The machine it runs on. */
                                host: string;
                                /** @description Drawn when it began. */
                                id: string;
                                /** @description Resident memory. */
                                memory_bytes: number;
                                /** @description Its number there. */
                                pid: number;
                                /** @description Epoch seconds. */
                                seen_at: number;
                                /** @description Epoch seconds. */
                                started_at: number;
                            }[];
                            providers: {
                                /** @description Epoch seconds. */
                                checked_at: number;
                                /** @description What is wrong; null when nothing is. */
                                last_error: string | null;
                                /** @description As it is asked for. */
                                name: string;
                                /** @description Seconds of the last probe. */
                                response_time: number | null;
                                /** @enum {unknown} */
                                status: "online" | "degraded" | "offline" | "unconfigured";
                            }[];
                            /** @description Where alerts begin. */
                            thresholds: {
                                [key: string]: unknown;
                            };
                            workers: {
                                /** @description Whether it has shown itself in the last ten seconds. */
                                alive: boolean;
                                /** @description Epoch seconds. */
                                heartbeat_at: number;
                                /** @description Drawn when it began. */
                                id: string;
                                /** @description Where it runs. */
                                name: string;
                            }[];
                        };
                        /** @description 0 to 100: orchestrator 30, database 25, queue 20, providers 20, cache 5; healthy counts in full, partial by half. Providers count by the share that is online, degraded ones by half. A cache that is switched off is left out. */
                        health_score: number;
                        /** @description Always null: no maintenance is ever planned, updates need none. */
                        next_maintenance: number | null;
                        /**
                         * @description partial: it works, and not all is well.
                         * @enum {unknown}
                         */
                        overall_status: "healthy" | "partial" | "offline";
                        /** @description Of the last hour, all processes together, without health checks. */
                        performance_metrics: {
                            /** @description Percent of the minutes of the last 24 hours in which a process ran, from the first that is known; null before the first. */
                            availability: number | null;
                            /** @description Seconds; null without requests. */
                            avg_response_time: number | null;
                            /** @description Percent of requests that failed by our fault (5xx); null without requests. */
                            error_rate: number | null;
                            /** @description Requests a minute. */
                            throughput: number;
                        };
                        /** @description What to do about the alerts, in their order. */
                        recommendations: string[];
                        /** @description Epoch seconds. */
                        timestamp: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readLiveStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the platform is at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Executions under way that you may see, the oldest first; 50 at most. */
                        active_workflows: {
                            /** @description Null between two steps. */
                            current_step: string | null;
                            /** @description Epoch seconds; null when nothing is known to estimate by. */
                            estimated_completion: number | null;
                            /** @description The execution. */
                            id: string;
                            /** @description Percentage of steps that are over. */
                            progress: number;
                            /** @description Epoch seconds. */
                            started_at: number;
                            /** @description The workflow it runs. */
                            workflow_id: string;
                        }[];
                        /** @description By the name of the provider. */
                        ai_provider_status: {
                            [key: string]: {
                                /** @description Calls of this process that it is working on. */
                                active_connections: number;
                                /** @description When it was last probed, every 30 seconds. Epoch seconds. */
                                checked_at: number;
                                /** @description What is wrong; null when nothing is. */
                                last_error: string | null;
                                /** @description The ids of the models it can answer with. */
                                models_available: string[];
                                /** @description Requests it still takes, as its last answer to this process said; null when it does not say. */
                                rate_limit_remaining: number | null;
                                /** @description Seconds of the last probe; null when it was not asked or did not answer. */
                                response_time: number | null;
                                /** @description Since when it has this status. Epoch seconds. */
                                since: number;
                                /** @enum {unknown} */
                                status: "online" | "degraded" | "offline" | "unconfigured";
                            };
                        };
                        queue_status: {
                            /** @description Seconds until one that is added now begins; null when nothing has ended lately to measure by. */
                            estimated_wait: number | null;
                            /** @description Executions that failed in the last 24 hours, up to five seconds ago. */
                            failed_items_24h: number;
                            /** @description Executions that wait, whatever for. */
                            pending_items: number;
                            /** @description Executions that ended in a minute, in the last quarter of an hour. */
                            processing_rate: number;
                        };
                        /** @description Of the machine that answers, over the last seconds. */
                        resource_usage: {
                            /** @description Percent of the processors of the machine. */
                            cpu_usage: number | null;
                            /** @description Percent of the disk that holds the data folder. */
                            disk_usage: number | null;
                            /** @description Percent of the memory of the machine, or of what its container may have. */
                            memory_usage: number;
                            /** @description Bytes a second. */
                            network_in: number | null;
                            /** @description Bytes a second, in and out; null where the system does not tell. */
                            network_io: number | null;
                            /** @description Bytes a second. */
                            network_out: number | null;
                        };
                        /** Format: date-time */
                        server_time: string;
                        system_status: {
                            /** @description `development`, `production` or `test`. */
                            environment: string;
                            /**
                             * @description offline: no worker runs executions. partial: a provider that is set up does not answer well, the queue is stuck, or the machine is at its limits.
                             * @enum {unknown}
                             */
                            status: "operational" | "partial" | "offline";
                            /** @description Seconds since the process that answers began. */
                            uptime: number;
                            /** @description Of the platform. */
                            version: string;
                        };
                        /** @description Epoch seconds. */
                        timestamp: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    followOrchestra: {
        parameters: {
            query?: {
                /** @description The same as the header `Last-Event-ID`, which wins, for clients that cannot set one. */
                last_event_id?: string;
            };
            header?: {
                /** @description The id of the last event that is known. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream that ends when either side closes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readPerformance: {
        parameters: {
            query?: {
                /** @description How long each point of `timeseries` is: no longer than the timeframe, and minutes only up to a day, as they are not kept longer. Default: minutes of an hour, hours of a day or a week, days of a month. */
                granularity?: "minute" | "hour" | "day";
                /** @description Whether `predictions` are made; null without. */
                include_predictions?: boolean;
                /** @description Which parts of `metrics` are told, repeated or separated by commas: response_times, throughput, error_rates, resource_utilization. Default: all. */
                metrics?: string[];
                /** @description The time up to now. It is compared with the time of the same length before it. */
                timeframe?: "1h" | "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the platform does: its own requests, of all processes together. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        generated_at: number;
                        /** @description As it was asked for, or the usual one. */
                        granularity: string;
                        /** @description The parts that were asked for. */
                        metrics: {
                            /** @description Percent of all requests; null without any. Mistakes of callers (4xx) are no errors. */
                            error_rates?: {
                                /** @description A provider did not answer properly (502). */
                                provider_error_rate: number | null;
                                /** @description Every other 5xx. */
                                system_error_rate: number | null;
                                /** @description Ran out of time (504). */
                                timeout_rate: number | null;
                                /** @description The three below together. */
                                total_error_rate: number | null;
                            };
                            /** @description Averages of all machines; null where the system does not tell. */
                            resource_utilization?: {
                                /** @description Percent. */
                                cpu_usage: number | null;
                                /** @description Bytes a second, read and written. */
                                disk_io: number | null;
                                /** @description Percent. */
                                memory_usage: number | null;
                                /** @description Bytes a second, in and out. */
                                network_io: number | null;
                            };
                            /** @description Seconds, of all requests that were answered to the end, without event streams and health checks; null when there were none. */
                            response_times?: {
                                /** @description Exact. */
                                avg: number | null;
                                /** @description Exact. */
                                max: number | null;
                                /** @description From counts between fixed bounds, right to within a fifth. */
                                p50: number | null;
                                /** @description As exact as the median. */
                                p95: number | null;
                                /** @description As exact as the median. */
                                p99: number | null;
                            };
                            throughput?: {
                                /** @description Percent of what all workers can run at once that ran on the average; null when nobody looked. */
                                capacity_utilization: number | null;
                                /** @description The most executions that ran at once, looked at every second. */
                                peak_concurrent: number | null;
                                /** @description Over the whole timeframe. */
                                requests_per_minute: number;
                                /** @description Executions that ended, over the whole timeframe. */
                                workflows_per_hour: number;
                            };
                        };
                        predictions: {
                            /** @description Hours of the past that are known. Three days are needed. */
                            based_on_hours: number;
                            /** @description What may reach its limits in the next 24 hours. */
                            capacity_warnings: {
                                /** @description Percent in that hour. */
                                expected_value: number;
                                /** @description `cpu_usage`, `memory_usage`, `disk_usage` or `capacity_utilization`. */
                                metric: string;
                                /**
                                 * Format: date-time
                                 * @description The hour it is highest.
                                 */
                                predicted_peak: string;
                                /**
                                 * @description low: it may pass the threshold. medium: it is expected to. high: 95 % is expected.
                                 * @enum {unknown}
                                 */
                                risk_level: "low" | "medium" | "high";
                                /** @description Percent from which it is warned of. */
                                threshold: number;
                            }[];
                            /** @description How they are made. */
                            method: string;
                            next_hour: {
                                /** @description 0 to 1: how near sums over a day were when the past was forecast the same way; null without enough past. */
                                confidence: number | null;
                                /** @description Requests a minute; null without enough past. */
                                expected_load: number | null;
                                /** @description Seconds on the average; null without enough past. */
                                predicted_response_time: number | null;
                            };
                        } | null;
                        recommendations: {
                            /** @description The number it follows from, and what to do. */
                            description: string;
                            /** @description What could be gained, from the same numbers. */
                            estimated_benefit: string;
                            /** @enum {unknown} */
                            priority: "low" | "medium" | "high";
                            /** @description What it is about. */
                            type: string;
                        }[];
                        /** @description As it was asked for. */
                        timeframe: string;
                        /** @description By `granularity`, the earliest first, also where nothing happened. */
                        timeseries: {
                            /** @description Percent; null when nobody looked. */
                            cpu_usage: number | null;
                            /** @description Percent; null without requests. */
                            error_rate: number | null;
                            /** @description Seconds on the average; null without requests. */
                            response_time: number | null;
                            /** @description Requests a minute. */
                            throughput: number;
                            /**
                             * Format: date-time
                             * @description When it begins, in UTC.
                             */
                            timestamp: string;
                        }[];
                        trends: {
                            /** @description The rate of errors, in percent with a sign against the time before; null when there was nothing before. */
                            error_rate_trend: string | null;
                            /** @description How busy the processors are, in percent with a sign against the time before; null when there was nothing before. */
                            resource_trend: string | null;
                            /** @description The average response time, in percent with a sign against the time before; null when there was nothing before. */
                            response_time_trend: string | null;
                            /** @description The number of requests, in percent with a sign against the time before; null when there was nothing before. */
                            throughput_trend: string | null;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        current_usage: {
                            /** @description Executions under way, or waiting for nothing but a worker. */
                            concurrent_workflows: number;
                            /** @description Dollars of this UTC day, with what is set aside for calls that run. */
                            cost_today: number;
                            /** @description Requests since the hour began, this one included. */
                            requests_this_hour: number;
                        };
                        limits: {
                            /** @description Dollars, of the tier. */
                            daily_cost_limit: number;
                            /** @description Of the tier. */
                            max_concurrent_workflows: number;
                            /** @description Of the tier. */
                            requests_per_hour: number;
                        };
                        remaining: {
                            /** @description Executions that can begin at once. */
                            concurrent_slots: number;
                            /** @description Dollars that can still be set aside today. */
                            cost_budget: number;
                            /** @description Requests until one is refused. */
                            requests: number;
                        };
                        reset_times: {
                            /**
                             * Format: date-time
                             * @description When the UTC day is over.
                             */
                            daily_reset: string;
                            /**
                             * Format: date-time
                             * @description When the hour is over, which begins with its first request.
                             */
                            hourly_reset: string;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraListWebhooks: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                status?: "pending_verification" | "active" | "disabled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of your webhooks, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Webhooks on all pages together. */
                        total: number;
                        webhooks: {
                            /** @description False: it is disabled. */
                            active: boolean;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description Epoch seconds. */
                            disabled_at: number | null;
                            /** @description `owner`: said so. `gone`: the receiver answered 410. `failing`: nothing has arrived for days. Null unless disabled. */
                            disabled_reason: string | null;
                            /** @description The same as `events_subscribed`. */
                            events: string[];
                            events_subscribed: string[];
                            /** @description Epoch seconds; null when the last delivery arrived. */
                            failing_since: number | null;
                            /** @description Epoch seconds; null when only one secret signs. */
                            previous_secret_expires_at: number | null;
                            /** @description What was chosen; the rest is the default. */
                            retry_config: {
                                [key: string]: unknown;
                            };
                            /**
                             * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                             * @enum {unknown}
                             */
                            status: "pending_verification" | "active" | "disabled";
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description The same as `webhook_url`. */
                            url: string;
                            /** @description Epoch seconds; null unless it waits to be verified. */
                            verification_expires_at: number | null;
                            /** @description Epoch seconds; null before. */
                            verified_at: number | null;
                            webhook_id: string;
                            webhook_url: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraCreateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description False: nothing is sent. Enabling one that was never verified asks for that first. */
                    active?: boolean;
                    /** @description Which events to send. */
                    events: ("workflow.completed" | "workflow.failed" | "agent.performance_alert" | "system.cost_threshold")[];
                    retry_config?: {
                        /** @description Tries altogether. Default: 10. */
                        max_attempts?: number;
                        /** @description Seconds before the second try, twice as long each further time. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
                        retry_delay?: number;
                        /** @description Seconds a receiver may take. Default: 10. */
                        timeout?: number;
                    };
                    /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                    secret?: string;
                    /** @description Where to send events: http or https, and no private address. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /** @description What deliveries are signed with. Shown only here. */
                        secret: string;
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraReadWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook. Its secret is never shown again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: it is disabled. */
                        active: boolean;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description Epoch seconds. */
                        disabled_at: number | null;
                        /** @description `owner`: said so. `gone`: the receiver answered 410. `failing`: nothing has arrived for days. Null unless disabled. */
                        disabled_reason: string | null;
                        /** @description The same as `events_subscribed`. */
                        events: string[];
                        events_subscribed: string[];
                        /** @description Epoch seconds; null when the last delivery arrived. */
                        failing_since: number | null;
                        /** @description Epoch seconds; null when only one secret signs. */
                        previous_secret_expires_at: number | null;
                        /** @description What was chosen; the rest is the default. */
                        retry_config: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description The same as `webhook_url`. */
                        url: string;
                        /** @description Epoch seconds; null unless it waits to be verified. */
                        verification_expires_at: number | null;
                        /** @description Epoch seconds; null before. */
                        verified_at: number | null;
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraChangeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description False: nothing is sent. Enabling one that was never verified asks for that first. */
                    active?: boolean;
                    /** @description Which events to send. */
                    events: ("workflow.completed" | "workflow.failed" | "agent.performance_alert" | "system.cost_threshold")[];
                    retry_config?: {
                        /** @description Tries altogether. Default: 10. */
                        max_attempts?: number;
                        /** @description Seconds before the second try, twice as long each further time. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
                        retry_delay?: number;
                        /** @description Seconds a receiver may take. Default: 10. */
                        timeout?: number;
                    };
                    /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                    secret?: string;
                    /** @description Where to send events: http or https, and no private address. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraDeleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone, and its deliveries with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "deleted";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraListWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `as_of` of an earlier page. */
                as_of?: number;
                event?: string;
                /** @description Entries on a page. */
                limit?: number;
                order?: "oldest" | "newest";
                /** @description Which page, from 1. */
                page?: number;
                state?: "pending" | "delivered" | "dead";
                /** @description Such as the id of an execution. */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For the pages after this one, so that they stand still; null when nothing matches. */
                        as_of: number | null;
                        deliveries: {
                            /** @description Tries so far. */
                            attempts: number;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The same in every try: `webhook-id` of the request. */
                            delivery_id: string;
                            event: string;
                            /** @description Epoch seconds; null when it is not over. */
                            finished_at: number | null;
                            /** @description The last try; null before the first. */
                            last_attempt: {
                                /** @description Epoch seconds. */
                                attempted_at: number;
                                /** @description Seconds until the answer, or until there was none. */
                                duration: number | null;
                                /** @description Why it failed; null when it did not. */
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** @description What was sent; null when it did not come that far. */
                                request: {
                                    /** @description The envelope, with its signature. */
                                    body: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Of the body, as sent. */
                                    bytes: number;
                                    /** @description Those that say something about the message. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    url: string;
                                } | null;
                                /** @description What came back; null when nothing did. */
                                response: {
                                    /** @description Its beginning, 4 KiB at most. */
                                    body: string;
                                    /** @description Some of them. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    status: number;
                                } | null;
                            } | null;
                            /** @description Epoch seconds; null when it is over. */
                            next_attempt_at: number | null;
                            /** @description Why it was given up. */
                            reason: string | null;
                            /**
                             * @description `dead`: it was given up.
                             * @enum {unknown}
                             */
                            state: "pending" | "delivered" | "dead";
                            /** @description What it is about, such as an execution. About one subject is told in order. */
                            subject: string;
                            /** @description Epoch seconds: when it happened. */
                            timestamp: number;
                        }[];
                        /** @description Deliveries that match. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraReadWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `delivery_id` of the list. */
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Tries so far. */
                        attempts: number;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description The same in every try: `webhook-id` of the request. */
                        delivery_id: string;
                        event: string;
                        /** @description Epoch seconds; null when it is not over. */
                        finished_at: number | null;
                        /** @description The last try; null before the first. */
                        last_attempt: {
                            /** @description Epoch seconds. */
                            attempted_at: number;
                            /** @description Seconds until the answer, or until there was none. */
                            duration: number | null;
                            /** @description Why it failed; null when it did not. */
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** @description What was sent; null when it did not come that far. */
                            request: {
                                /** @description The envelope, with its signature. */
                                body: {
                                    [key: string]: unknown;
                                };
                                /** @description Of the body, as sent. */
                                bytes: number;
                                /** @description Those that say something about the message. */
                                headers: {
                                    [key: string]: string;
                                };
                                url: string;
                            } | null;
                            /** @description What came back; null when nothing did. */
                            response: {
                                /** @description Its beginning, 4 KiB at most. */
                                body: string;
                                /** @description Some of them. */
                                headers: {
                                    [key: string]: string;
                                };
                                status: number;
                            } | null;
                        } | null;
                        /** @description Epoch seconds; null when it is over. */
                        next_attempt_at: number | null;
                        /** @description Why it was given up. */
                        reason: string | null;
                        /**
                         * @description `dead`: it was given up.
                         * @enum {unknown}
                         */
                        state: "pending" | "delivered" | "dead";
                        /** @description What it is about, such as an execution. About one subject is told in order. */
                        subject: string;
                        /** @description Epoch seconds: when it happened. */
                        timestamp: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraRedeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `delivery_id` of the list. */
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A delivery. */
                        delivery: {
                            /** @description Tries so far. */
                            attempts: number;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The same in every try: `webhook-id` of the request. */
                            delivery_id: string;
                            event: string;
                            /** @description Epoch seconds; null when it is not over. */
                            finished_at: number | null;
                            /** @description The last try; null before the first. */
                            last_attempt: {
                                /** @description Epoch seconds. */
                                attempted_at: number;
                                /** @description Seconds until the answer, or until there was none. */
                                duration: number | null;
                                /** @description Why it failed; null when it did not. */
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** @description What was sent; null when it did not come that far. */
                                request: {
                                    /** @description The envelope, with its signature. */
                                    body: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Of the body, as sent. */
                                    bytes: number;
                                    /** @description Those that say something about the message. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    url: string;
                                } | null;
                                /** @description What came back; null when nothing did. */
                                response: {
                                    /** @description Its beginning, 4 KiB at most. */
                                    body: string;
                                    /** @description Some of them. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    status: number;
                                } | null;
                            } | null;
                            /** @description Epoch seconds; null when it is over. */
                            next_attempt_at: number | null;
                            /** @description Why it was given up. */
                            reason: string | null;
                            /**
                             * @description `dead`: it was given up.
                             * @enum {unknown}
                             */
                            state: "pending" | "delivered" | "dead";
                            /** @description What it is about, such as an execution. About one subject is told in order. */
                            subject: string;
                            /** @description Epoch seconds: when it happened. */
                            timestamp: number;
                        };
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraRedeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Deliveries of events that happened in this time. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Epoch seconds. */
                    from?: number;
                    /**
                     * @description Which of them: those given up, those that arrived, or both. Default: dead.
                     * @enum {unknown}
                     */
                    state?: "dead" | "delivered" | "all";
                    /** @description Epoch seconds. */
                    to?: number;
                } | null;
            };
        };
        responses: {
            /** @description They are on their way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether there may be more: ask again. */
                        more: boolean;
                        /** @description Deliveries that are on their way again. */
                        redelivered: number;
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraRotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                    secret?: string;
                } | null;
            };
        };
        responses: {
            /** @description The new secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds: until then both secrets sign. */
                        previous_secret_expires_at: number | null;
                        /** @description What deliveries are signed with. Shown only here. */
                        secret: string;
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraVerifyWebhookAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraVerifyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook receives events from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "active";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    orchestraVerifyWebhookByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook receives events from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "active";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    cancelWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Removes what steps had made, once it is cancelled; this answer is the last place that has it. Default: false. */
                    cleanup?: boolean;
                    /** @description Takes the execution away from its worker at once. What its calls cost is not known then, and counts in full. Default: false. */
                    force?: boolean;
                    /** @description Why, for whoever looks at the execution later. */
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds; null while its worker has not answered. */
                        cancelled_at: number | null;
                        /**
                         * @description `completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.
                         * @enum {unknown}
                         */
                        cleanup_status: "completed" | "removed" | "in_progress";
                        execution_id: string;
                        /** @description What completed steps had made, by step; in a batch each has a list by item. */
                        partial_results: {
                            [key: string]: unknown;
                        };
                        /** @description Dollars that were set aside for calls and came back, because they were not made or cost less. */
                        refund_amount: number;
                        /**
                         * @description `cancelled`; still `running` in an answer with 202.
                         * @enum {unknown}
                         */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Steps that will not run any more because of this, those that were stopped included. */
                        steps_cancelled: number;
                        /** @description Steps that had been completed, over all items of a batch. */
                        steps_completed: number;
                        /** @description It is cancelled, or will be as soon as its worker answers. */
                        success: boolean;
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds; null while its worker has not answered. */
                        cancelled_at: number | null;
                        /**
                         * @description `completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.
                         * @enum {unknown}
                         */
                        cleanup_status: "completed" | "removed" | "in_progress";
                        execution_id: string;
                        /** @description What completed steps had made, by step; in a batch each has a list by item. */
                        partial_results: {
                            [key: string]: unknown;
                        };
                        /** @description Dollars that were set aside for calls and came back, because they were not made or cost less. */
                        refund_amount: number;
                        /**
                         * @description `cancelled`; still `running` in an answer with 202.
                         * @enum {unknown}
                         */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Steps that will not run any more because of this, those that were stopped included. */
                        steps_cancelled: number;
                        /** @description Steps that had been completed, over all items of a batch. */
                        steps_completed: number;
                        /** @description It is cancelled, or will be as soon as its worker answers. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readWorkflowMetrics: {
        parameters: {
            query?: {
                /** @description Only these workflows: repeated, or separated by commas. Default: all. */
                flow_ids?: string[];
                /** @description By what `breakdown` is told apart. `by_workflow` and `hourly_breakdown` are always there. */
                group_by?: "flow" | "hour" | "day";
                /** @description Whether `trends`, and the `trend` of each workflow, are told; null without. */
                include_trends?: boolean;
                /** @description The time up to now. It is compared with the time of the same length before it. */
                timeframe?: "1h" | "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How workflows run and what they cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description By `group_by`: workflows with the busiest first, hours and days with the earliest. */
                        breakdown: {
                            /** @description Seconds, of the completed ones; null when none completed. */
                            avg_duration: number | null;
                            /** @description Dollars. */
                            cost: number;
                            /** @description Percent of all cost; null when nothing cost anything. */
                            cost_share: number | null;
                            /** @description That ended. */
                            executions: number;
                            /** @description A workflow, or when the hour or day begins, by `group_by`. */
                            key: string;
                            /** @description Percent of those that completed or failed; null when none did. */
                            success_rate: number | null;
                        }[];
                        /** @description By the id of the workflow, the busiest 200; those that were asked for also when nothing ran. */
                        by_workflow: {
                            [key: string]: {
                                /** @description Seconds, of the completed ones; null when none completed. */
                                avg_duration: number | null;
                                /** @description Dollars. */
                                cost: number;
                                /** @description That ended. */
                                executions: number;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                /** @description Executions: percent with its sign against the time before, such as `+12.5%`; null when there was none. */
                                trend: string | null;
                            };
                        };
                        /** @description When this was read, epoch seconds. */
                        generated_at: number;
                        /** @enum {unknown} */
                        group_by: "flow" | "hour" | "day";
                        /** @description Every hour, quiet ones included, the earliest first. */
                        hourly_breakdown: {
                            /** @description Seconds, of the completed ones; null when none completed. */
                            avg_duration: number | null;
                            /** @description That ended in this hour and belong to the time asked for. */
                            executions: number;
                            /** @description When it begins, ISO 8601, UTC. */
                            hour: string;
                            /** @description Percent of those that completed or failed; null when none did. */
                            success_rate: number | null;
                        }[];
                        metrics: {
                            /** @description Seconds, of the completed ones; null when none completed. */
                            average_duration: number | null;
                            /** @description Those that were cancelled. */
                            cancelled_executions: number;
                            /** @description Those that failed. */
                            failed_executions: number;
                            /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                            median_duration: number | null;
                            /** @description The most executions that ran at the same time. Counted from their begins and ends, or, where there are too many of them, the most that were seen in samples of every second; null when neither is there. */
                            peak_concurrent_executions: number | null;
                            /** @description `executions` is exact, `samples` is what was seen; null without a number. */
                            peak_concurrent_source: string | null;
                            /** @description Percent of those that completed or failed; null when none did. */
                            success_rate: number | null;
                            /** @description Those that completed. */
                            successful_executions: number;
                            /** @description Read and written by models. */
                            tokens_consumed: number;
                            /** @description Dollars. */
                            total_cost: number;
                            /** @description Executions that ended in this time. */
                            total_executions: number;
                            /** @description Workflows of which an execution ended. */
                            unique_workflows: number;
                            /** @description Those that asked models without a known price: their cost is not complete. */
                            unpriced_executions: number;
                        };
                        /** @description The time that was asked for. */
                        timeframe: string;
                        /** @description Null unless asked for. */
                        trends: {
                            /** @description Cost: percent with its sign against the time before, such as `+12.5%`; null when there was none. */
                            cost_trend: string | null;
                            /** @description Executions: percent with its sign against the time before, such as `+12.5%`; null when there was none. */
                            execution_trend: string | null;
                            /** @description Speed, which is how many would complete in the same time: more is faster: percent with its sign against the time before, such as `+12.5%`; null when there was none. */
                            performance_trend: string | null;
                            /** @description Rate of success: percent with its sign against the time before, such as `+12.5%`; null when there was none. */
                            success_rate_trend: string | null;
                            /** @description What it is compared with, such as `previous 24h`. */
                            trend_period: string;
                        } | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readWorkflowStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_decisions: {
                            /** @description Who decided. */
                            agent: string;
                            /** @description 0 to 1; null when nothing measured it. */
                            confidence: number | null;
                            /** @description What was looked at. */
                            context_used: string[];
                            /** @description What it decided. */
                            decision: string;
                            /** @description Why. */
                            reasoning: string;
                            /** @description The step in which it did. */
                            step: string;
                            /** @description Epoch seconds. */
                            timestamp: number;
                        }[];
                        /** @description One that is under way; null when none is. */
                        current_step: string | null;
                        /** @description 0 to 100, by the time it usually takes or the phases it has reached; null when nobody can tell. */
                        current_step_progress: number | null;
                        /** @description Seconds since it began. */
                        elapsed_time: number;
                        /** @description Why it failed: `code`, `message`, and the `step` where there is one. Null when it did not. */
                        error: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Epoch seconds; of one that is over its end. Null when nobody can tell. */
                        estimated_completion: number | null;
                        execution_id: string;
                        /** @description What completed steps made, by step; in a batch each has a list by item. Without `track_intermediate_results` the results alone, once it is over. */
                        intermediate_results: {
                            [key: string]: unknown;
                        };
                        metrics: {
                            /** @description Calls to models. */
                            ai_calls: number;
                            /** @description Calls to other APIs. */
                            api_calls: number;
                            /** @description Answers that were remembered. */
                            cache_hits: number;
                            /** @description Dollars so far. */
                            cost_estimate: number;
                            /** @description Seconds so far. */
                            execution_time: number;
                            /** @description Tokens that went in and came out. */
                            tokens_used: number;
                        };
                        /** @description Where it stands, in a word, such as `awaiting_capacity` or `agent_working`. */
                        phase: string;
                        /** @description 0 to 100, by steps. */
                        progress_percentage: number;
                        /** @description Seconds; null when nobody can tell. */
                        remaining_time: number | null;
                        resource_usage: {
                            /** @description Seconds that steps computed here. */
                            cpu_time: number;
                            /** @description Requests to models and other APIs over the network. */
                            network_requests: number;
                            /** @description Megabytes that context, memory and outputs took. */
                            peak_memory: number;
                        };
                        /** @description Epoch seconds; null before it began. */
                        started_at: number | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Those that succeeded; in a batch for every item. */
                        steps_completed: string[];
                        /** @description Those that may still run. */
                        steps_remaining: string[];
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert` or `mail_not_configured`. */
                            type: string;
                        }[];
                        workflow_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description A piece of the id, label, description, tags or use cases, in whatever case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description On all pages. */
                        total: number;
                        workflows: {
                            /** @description Who works in it, each once, in the order of the steps. */
                            agents: string[];
                            /** @description Whether every execution waits until somebody agrees. */
                            approval_required: boolean;
                            /** @description It comes with the platform, and stays as it is. */
                            built_in: boolean;
                            /** @description What kind of workflow it is. */
                            category: string | null;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description What it is for; empty where nobody says. */
                            description: string;
                            id: string;
                            /** @description What people call it. */
                            label: string;
                            /**
                             * @description `sequential` when no two steps can run side by side.
                             * @enum {unknown}
                             */
                            mode: "sequential" | "parallel";
                            /** @description The number of the version, from 1. */
                            revision: number;
                            tags: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description What its author calls this version, else its number. */
                            version: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In their order: ids, or objects that say more. */
                    agents: (string | {
                        /** @description An id of `GET /agents`. */
                        agent: string;
                        /** @description Default: whichever is current when the step begins. */
                        agent_version?: number;
                        /** @description Names the step. Default: the id of the agent. */
                        id?: string;
                        /** @description What it works on, with `{{path}}`. Default: `{{content}}`, or in a sequence the last content an agent made. */
                        input?: string;
                        /** @description What is asked of it besides, with `{{path}}`; `{{steps.ID}}` is what a step before made. */
                        instructions?: string;
                        /** @description What people call the step. */
                        label?: string;
                        /** @description By their names. */
                        parameters?: {
                            [key: string]: string | number | boolean;
                        };
                    })[];
                    /** @description What kind of flow it is. */
                    category?: string;
                    /** @description What it is for. */
                    description?: string;
                    /** @description Default: made from the label. */
                    id?: string;
                    label: string;
                    /**
                     * @description `sequential`: each begins when the one before has ended, and works on the content made so far. `parallel`: all begin at once, on the same content. Default: sequential.
                     * @enum {unknown}
                     */
                    mode?: "sequential" | "parallel";
                    tags?: string[];
                    /** @description What its author calls this version. Default: the number of the version. */
                    version?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "created" | "updated" | "unchanged";
                        success: boolean;
                        workflow: {
                            /** @description Who works in it, each once, in the order of the steps. */
                            agents: string[];
                            /** @description Whether every execution waits until somebody agrees. */
                            approval_required: boolean;
                            /** @description It comes with the platform, and stays as it is. */
                            built_in: boolean;
                            /** @description What kind of workflow it is. */
                            category: string | null;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description What it is for; empty where nobody says. */
                            description: string;
                            id: string;
                            /** @description What people call it. */
                            label: string;
                            /**
                             * @description `sequential` when no two steps can run side by side.
                             * @enum {unknown}
                             */
                            mode: "sequential" | "parallel";
                            /** @description Paths that the context of an execution must bring. */
                            required_inputs: string[];
                            /** @description The number of the version, from 1. */
                            revision: number;
                            steps: {
                                /** @description Who does it; null for steps that are no agents. */
                                agent: string | null;
                                /** @description Null: whichever is current when it begins. */
                                agent_version: number | null;
                                /** @description Steps it waits for. */
                                dependencies: string[];
                                id: string;
                                /** @description What it works on. */
                                input: string | null;
                                /** @description What is asked of it besides. */
                                instructions: string | null;
                                /** @description What people call it. */
                                label: string | null;
                                /** @description By their names. */
                                parameters: {
                                    [key: string]: unknown;
                                };
                                /** @description `agent`, or another type of step for workflows that were made as flows. */
                                type: string;
                            }[];
                            tags: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description What its author calls this version, else its number. */
                            version: string;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Who works in it, each once, in the order of the steps. */
                        agents: string[];
                        /** @description Whether every execution waits until somebody agrees. */
                        approval_required: boolean;
                        /** @description It comes with the platform, and stays as it is. */
                        built_in: boolean;
                        /** @description What kind of workflow it is. */
                        category: string | null;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description What it is for; empty where nobody says. */
                        description: string;
                        id: string;
                        /** @description What people call it. */
                        label: string;
                        /**
                         * @description `sequential` when no two steps can run side by side.
                         * @enum {unknown}
                         */
                        mode: "sequential" | "parallel";
                        /** @description Paths that the context of an execution must bring. */
                        required_inputs: string[];
                        /** @description The number of the version, from 1. */
                        revision: number;
                        steps: {
                            /** @description Who does it; null for steps that are no agents. */
                            agent: string | null;
                            /** @description Null: whichever is current when it begins. */
                            agent_version: number | null;
                            /** @description Steps it waits for. */
                            dependencies: string[];
                            id: string;
                            /** @description What it works on. */
                            input: string | null;
                            /** @description What is asked of it besides. */
                            instructions: string | null;
                            /** @description What people call it. */
                            label: string | null;
                            /** @description By their names. */
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description `agent`, or another type of step for workflows that were made as flows. */
                            type: string;
                        }[];
                        tags: string[];
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description What its author calls this version, else its number. */
                        version: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    changeWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In their order: ids, or objects that say more. */
                    agents: (string | {
                        /** @description An id of `GET /agents`. */
                        agent: string;
                        /** @description Default: whichever is current when the step begins. */
                        agent_version?: number;
                        /** @description Names the step. Default: the id of the agent. */
                        id?: string;
                        /** @description What it works on, with `{{path}}`. Default: `{{content}}`, or in a sequence the last content an agent made. */
                        input?: string;
                        /** @description What is asked of it besides, with `{{path}}`; `{{steps.ID}}` is what a step before made. */
                        instructions?: string;
                        /** @description What people call the step. */
                        label?: string;
                        /** @description By their names. */
                        parameters?: {
                            [key: string]: string | number | boolean;
                        };
                    })[];
                    /** @description What kind of flow it is. */
                    category?: string;
                    /** @description What it is for. */
                    description?: string;
                    /** @description The revision you made your change on. When it is no longer the current one, nothing is saved (409). */
                    expected_version?: number;
                    label: string;
                    /**
                     * @description `sequential`: each begins when the one before has ended, and works on the content made so far. `parallel`: all begin at once, on the same content. Default: sequential.
                     * @enum {unknown}
                     */
                    mode?: "sequential" | "parallel";
                    tags?: string[];
                    /** @description What its author calls this version. Default: the number of the version. */
                    version?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "created" | "updated" | "unchanged";
                        success: boolean;
                        workflow: {
                            /** @description Who works in it, each once, in the order of the steps. */
                            agents: string[];
                            /** @description Whether every execution waits until somebody agrees. */
                            approval_required: boolean;
                            /** @description It comes with the platform, and stays as it is. */
                            built_in: boolean;
                            /** @description What kind of workflow it is. */
                            category: string | null;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description What it is for; empty where nobody says. */
                            description: string;
                            id: string;
                            /** @description What people call it. */
                            label: string;
                            /**
                             * @description `sequential` when no two steps can run side by side.
                             * @enum {unknown}
                             */
                            mode: "sequential" | "parallel";
                            /** @description Paths that the context of an execution must bring. */
                            required_inputs: string[];
                            /** @description The number of the version, from 1. */
                            revision: number;
                            steps: {
                                /** @description Who does it; null for steps that are no agents. */
                                agent: string | null;
                                /** @description Null: whichever is current when it begins. */
                                agent_version: number | null;
                                /** @description Steps it waits for. */
                                dependencies: string[];
                                id: string;
                                /** @description What it works on. */
                                input: string | null;
                                /** @description What is asked of it besides. */
                                instructions: string | null;
                                /** @description What people call it. */
                                label: string | null;
                                /** @description By their names. */
                                parameters: {
                                    [key: string]: unknown;
                                };
                                /** @description `agent`, or another type of step for workflows that were made as flows. */
                                type: string;
                            }[];
                            tags: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description What its author calls this version, else its number. */
                            version: string;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description They go on to their end. */
                        executions_under_way: number;
                        /** @enum {unknown} */
                        status: "deleted";
                        success: boolean;
                        workflow_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrchestraError"];
                };
            };
        };
    };
    readFlowAnalytics: {
        parameters: {
            query?: {
                /** @description Only these flows: repeated, or separated by commas. Default: all. */
                flow_ids?: string[];
                /** @description By what `analytics_summary.breakdown` and `cost_analysis.cost_breakdown` are told apart. */
                group_by?: "flow" | "step_type" | "provider";
                /** @description Whether `cost_analysis.cost_breakdown` is told; null without. */
                include_cost_breakdown?: boolean;
                /** @description Whether `predictions` are made; null without. */
                include_predictions?: boolean;
                /** @description The time up to now. It is compared with the time of the same length before it. */
                timeframe?: "1h" | "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How flows run and what they cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What follows from these numbers. */
                        alert_recommendations: {
                            /** @description The flow it is about; null when it is about more. */
                            flow_id: string | null;
                            /** @description What was found. */
                            message: string;
                            metric: string;
                            /** @description The provider it is about; null when it is about none. */
                            provider: string | null;
                            /** @description What to do about it. */
                            recommendation: string;
                            /** @enum {unknown} */
                            severity: "info" | "warning" | "critical";
                            threshold: number;
                            /** @description The rule that holds. */
                            type: string;
                            value: number;
                        }[];
                        /** @description All of it in few numbers. */
                        analytics_summary: {
                            /** @description Accounts whose executions ended. */
                            active_users: number;
                            agent_decisions: number;
                            /** @description Seconds, of the completed ones; null when none completed. */
                            average_duration: number | null;
                            /** @description Seconds between being asked for and beginning; null when none began. */
                            average_queue_time: number | null;
                            /** @description Executions with several items. */
                            batch_executions: number;
                            /** @description Items of all batches. */
                            batch_items: number;
                            /** @description The busiest first. */
                            breakdown: {
                                /** @description Seconds, of the completed ones; null when none completed. */
                                average_duration: number | null;
                                /** @description Percent of all cost; null when nothing cost anything. */
                                cost_share: number | null;
                                /** @description Executions of a flow, steps of a type, steps answered or failed by a provider. */
                                count: number;
                                /** @description A flow, a type of step or a provider, by `group_by`. */
                                key: string;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                tokens_used: number;
                                /** @description Dollars. */
                                total_cost: number;
                            }[];
                            /** @description Percent of model calls answered from memory; null when there were none. */
                            cache_hit_rate: number | null;
                            cancelled_executions: number;
                            completed_executions: number;
                            failed_executions: number;
                            /** @description When this was read. Epoch seconds. */
                            generated_at: number;
                            group_by: string;
                            /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                            median_duration: number | null;
                            /** @description Seconds that 95 of 100 stayed below, as exact as the median; null when none completed. */
                            p95_duration: number | null;
                            period: {
                                /** @description First second that counts. Epoch seconds. */
                                from: number;
                                /** @description When this was read. Epoch seconds. */
                                to: number;
                            };
                            /** @description Percent of those that completed or failed; null when none did. */
                            success_rate: number | null;
                            timeframe: string;
                            total_ai_calls: number;
                            /** @description Dollars. */
                            total_cost: number;
                            /** @description Executions that ended. */
                            total_executions: number;
                            total_tokens: number;
                            /** @description Flows that ran. */
                            unique_flows: number;
                            /** @description Those that asked models without a known price: their cost is not complete. */
                            unpriced_executions: number;
                        };
                        benchmark_comparisons: {
                            flows: {
                                /** @description 1: as dear as the median; null without data, or when the median is free. */
                                cost_ratio: number | null;
                                /** @description 1: as long as the median; null without data. */
                                duration_ratio: number | null;
                                flow_id: string;
                                /** @description Points of percent above the median; null without data. */
                                success_rate_difference: number | null;
                            }[];
                            /** @description The middle of all flows here that ran, whichever were asked for. */
                            installation_median: {
                                /** @description Dollars; null without data. */
                                average_cost: number | null;
                                /** @description Seconds; null without data. */
                                average_duration: number | null;
                                /** @description How many flows it is the median of. */
                                flows: number;
                                /** @description Percent; null without data. */
                                success_rate: number | null;
                            };
                            previous_period: {
                                average_cost: {
                                    /** @description Percent against the time before; null when there was nothing to compare with. */
                                    change: number | null;
                                    /** @description Null without data. */
                                    current: number | null;
                                    /** @description Null without data. */
                                    previous: number | null;
                                };
                                average_duration: {
                                    /** @description Percent against the time before; null when there was nothing to compare with. */
                                    change: number | null;
                                    /** @description Null without data. */
                                    current: number | null;
                                    /** @description Null without data. */
                                    previous: number | null;
                                };
                                executions: {
                                    /** @description Percent against the time before; null when there was nothing to compare with. */
                                    change: number | null;
                                    /** @description Null without data. */
                                    current: number | null;
                                    /** @description Null without data. */
                                    previous: number | null;
                                };
                                /** @description Begin of the time before. Epoch seconds. */
                                from: number;
                                success_rate: {
                                    /** @description Percent against the time before; null when there was nothing to compare with. */
                                    change: number | null;
                                    /** @description Null without data. */
                                    current: number | null;
                                    /** @description Null without data. */
                                    previous: number | null;
                                };
                                /** @description Its end. Epoch seconds. */
                                to: number;
                                total_cost: {
                                    /** @description Percent against the time before; null when there was nothing to compare with. */
                                    change: number | null;
                                    /** @description Null without data. */
                                    current: number | null;
                                    /** @description Null without data. */
                                    previous: number | null;
                                };
                            };
                        };
                        cost_analysis: {
                            /** @description Null when none ended. */
                            average_cost_per_execution: number | null;
                            /** @description By `group_by`, the dearest first; null unless asked for. */
                            cost_breakdown: {
                                /** @description Seconds, of the completed ones; null when none completed. */
                                average_duration: number | null;
                                /** @description Percent of all cost; null when nothing cost anything. */
                                cost_share: number | null;
                                /** @description Executions of a flow, steps of a type, steps answered or failed by a provider. */
                                count: number;
                                /** @description A flow, a type of step or a provider, by `group_by`. */
                                key: string;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                tokens_used: number;
                                /** @description Dollars. */
                                total_cost: number;
                            }[] | null;
                            /** @description Percent against the time before; null when there was nothing to compare with. */
                            cost_change: number | null;
                            /** @description All cost by those that completed; null when none did. */
                            cost_per_successful_execution: number | null;
                            /** @description Dollars spent by executions that failed or were cancelled. */
                            cost_without_result: number;
                            /** @description Null when nothing cost anything. */
                            most_expensive_flow: string | null;
                            /** @description Null when nothing cost anything. */
                            most_expensive_provider: string | null;
                            /** @description Dollars of the time before. */
                            previous_cost: number;
                            /** @description Dollars in 30 days at this pace; null when nothing ended. */
                            projected_monthly_cost: number | null;
                            /** @description Dollars. */
                            total_cost: number;
                            /** @description Those whose cost is not complete. */
                            unpriced_executions: number;
                        };
                        /** @description By the id of the flow, the busiest 200. */
                        flow_performance: {
                            [key: string]: {
                                /** @description Average of 0 to 1 where answers or decisions had one; null when none had. */
                                average_confidence: number | null;
                                /** @description Dollars for each execution; null when none ended. */
                                average_cost: number | null;
                                /** @description Seconds computed here for each execution; null when none ended. */
                                average_cpu_time: number | null;
                                /** @description Seconds, of the completed ones; null when none completed. */
                                average_duration: number | null;
                                /** @description Bytes; null when none ended. */
                                average_peak_memory: number | null;
                                /** @description Seconds; null when none began. */
                                average_queue_time: number | null;
                                cancelled: number;
                                completed: number;
                                executions: number;
                                failed: number;
                                /** @description What people call it; null when the flow is gone. */
                                label: string | null;
                                /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                median_duration: number | null;
                                /** @description The step that failed most often, as a count; null when none failed. */
                                most_failing_step: {
                                    step_id: string;
                                    step_type: string;
                                    value: number;
                                } | null;
                                /** @description Seconds that 95 of 100 stayed below, as exact as the median; null when none completed. */
                                p95_duration: number | null;
                                /** @description Average of 0 to 100 where texts were judged; null when none was. */
                                quality_score: number | null;
                                /** @description The step with the longest average, in seconds; null without steps. */
                                slowest_step: {
                                    step_id: string;
                                    step_type: string;
                                    value: number;
                                } | null;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                tokens_used: number;
                                /** @description Dollars. */
                                total_cost: number;
                                /** @description Percent against the time before; null when there was nothing to compare with. */
                                trend: number | null;
                            };
                        };
                        /** @description Null unless asked for, and with less than three days of history. */
                        predictions: {
                            /** @description Hours of history. */
                            based_on_hours: number;
                            /** @description 0 to 1: how near forecasts of past days, made the same way, came to what happened. */
                            confidence: number;
                            /** @description Dollars over all hours ahead; null when nothing cost anything. */
                            expected_cost: number | null;
                            /** @description Over all hours ahead. */
                            expected_executions: number;
                            /** @description At the rate of failures in the history. */
                            expected_failures: number;
                            horizon_hours: number;
                            hourly: {
                                /** @description Begin of the hour. Epoch seconds. */
                                at: number;
                                executions: number;
                                /** @description Nineteen of twenty hours should have at most this many. */
                                high: number;
                                /** @description Nineteen of twenty hours should have at least this many. */
                                low: number;
                            }[];
                            /** @description How it was made. */
                            method: string;
                            peak: {
                                /** @description The busiest hour ahead. Epoch seconds. */
                                at: number;
                                executions: number;
                            };
                            /** @description After how many hours habits repeat: a day, or with three weeks of history a week. */
                            season_hours: number;
                        } | (never | null);
                        /** @description By the name of the provider. */
                        provider_analysis: {
                            [key: string]: {
                                /** @description Seconds for a call; null when there was none. */
                                average_response_time: number | null;
                                /** @description Of these, answered from memory. */
                                cache_hits: number;
                                /** @description Percent of all calls; null when there were none. */
                                call_share: number | null;
                                /** @description Calls, those for decisions and further tries too. */
                                calls: number;
                                completed: number;
                                failed: number;
                                input_tokens: number;
                                /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                median_response_time: number | null;
                                /** @description By the name of the model. */
                                models: {
                                    [key: string]: {
                                        /** @description Seconds for a call; null when there was none. */
                                        average_response_time: number | null;
                                        /** @description Of these, answered from memory. */
                                        cache_hits: number;
                                        /** @description Calls, those for decisions and further tries too. */
                                        calls: number;
                                        completed: number;
                                        failed: number;
                                        input_tokens: number;
                                        /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                        median_response_time: number | null;
                                        output_tokens: number;
                                        /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                        p95_response_time: number | null;
                                        /** @description Average of 0 to 100 where texts were judged; null when none was. */
                                        quality_score: number | null;
                                        /** @description Steps it answered or failed. */
                                        steps: number;
                                        /** @description Percent of those that completed or failed; null when none did. */
                                        success_rate: number | null;
                                        /** @description Dollars. */
                                        total_cost: number;
                                    };
                                };
                                output_tokens: number;
                                /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                p95_response_time: number | null;
                                /** @description Average of 0 to 100 where texts were judged; null when none was. */
                                quality_score: number | null;
                                /** @description Steps it answered or failed. */
                                steps: number;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                /** @description Dollars. */
                                total_cost: number;
                            };
                        };
                        quality_metrics: {
                            /** @description Average of 0 to 1 where answers or decisions had one; null when none had. */
                            average_confidence: number | null;
                            /** @description Average of 0 to 100 where texts were judged; null when none was. */
                            average_quality_score: number | null;
                            /** @description The most frequent first. */
                            failure_causes: {
                                code: string;
                                executions: number;
                                /** @description Percent of all failures. */
                                share: number | null;
                            }[];
                            /** @description Texts that were judged. */
                            judged_outputs: number;
                            /** @description Percent of those that completed or failed; null when none did. */
                            overall_success_rate: number | null;
                            /** @description Percent of tries that were not the first; null when no step ran. */
                            retry_rate: number | null;
                            /** @description Percent of those that completed or failed; null when none did. */
                            step_success_rate: number | null;
                        };
                        /** @description By the type of step. */
                        step_type_analysis: {
                            [key: string]: {
                                ai_calls: number;
                                /** @description Average of 0 to 1 where answers or decisions had one; null when none had. */
                                average_confidence: number | null;
                                /** @description Seconds, of the completed ones; null when none completed. */
                                average_duration: number | null;
                                completed: number;
                                failed: number;
                                /** @description Seconds, from counts between fixed bounds, so off by up to a half; null when none completed. */
                                median_duration: number | null;
                                network_requests: number;
                                /** @description Seconds that 95 of 100 stayed below, as exact as the median; null when none completed. */
                                p95_duration: number | null;
                                /** @description Average of 0 to 100 where texts were judged; null when none was. */
                                quality_score: number | null;
                                /** @description Tries after the first. */
                                retries: number;
                                /** @description Left out by conditions, routing or failures before them. */
                                skipped: number;
                                /** @description Completed or failed. */
                                steps_executed: number;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                tokens_used: number;
                                /** @description Dollars. */
                                total_cost: number;
                            };
                        };
                        /** @description Who runs what, and when. */
                        user_behavior_insights: {
                            active_users: number;
                            /** @description Percent of executions with several items; null when there were none. */
                            batch_share: number | null;
                            /** @description Null when nobody ran anything. */
                            executions_per_user: number | null;
                            /** @description Ten at most, the busiest first. */
                            most_active_users: {
                                account_id: string;
                                executions: number;
                                /** @description Percent of those that completed or failed; null when none did. */
                                success_rate: number | null;
                                /** @description Dollars. */
                                total_cost: number;
                            }[];
                            /** @description Three at most, the busiest first. */
                            peak_hours: {
                                executions: number;
                                /** @description Hour of the day in UTC, 0 to 23. */
                                hour: number;
                            }[];
                            /** @description Five at most, the busiest first. */
                            popular_flows: {
                                executions: number;
                                flow_id: string;
                                /** @description Percent of all. */
                                share: number | null;
                            }[];
                            /** @description Accounts with more than one execution. */
                            returning_users: number;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What waits for a decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approvals: {
                            execution_id: string;
                            flow_id: string;
                            flow_label: string;
                            flow_version: number;
                            /** @description The execution it was forked from. */
                            forked_from: string | null;
                            priority: string;
                            /** @description Epoch seconds. */
                            requested_at: number;
                            /** @description The account that wants to run it, and pays. */
                            requested_by: string;
                            /** @description The schedule that started it. */
                            schedule_id: string | null;
                        }[];
                        /** @description How many wait. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    executeFlow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What placeholders and conditions of the flow can read; further fields are welcome, as a flow needs them. */
                    context?: {
                        /** @description What the flow works on, as `{{content}}`. */
                        content?: unknown;
                        /** @description Each item goes through the whole flow: a text as its `content`, an object laid over the context. One that fails does not end the others. */
                        content_batch?: unknown[];
                        metadata?: {
                            /** @description For prompts, as `{{metadata.content_type}}`. */
                            content_type?: string;
                            /**
                             * Format: date-time
                             * @description By then it must be over; else it ends with EXECUTION_TIMEOUT.
                             */
                            deadline?: string;
                            /** @description For prompts, as `{{metadata.language}}`. */
                            language?: string;
                            /** @description For prompts, as `{{metadata.source}}`. */
                            source?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_options?: {
                            /**
                             * @description Higher ones leave the queue sooner. Default: normal.
                             * @enum {unknown}
                             */
                            priority?: "low" | "normal" | "high" | "urgent";
                            /**
                             * @description Texts of models below a quality of 60 (high) or 75 (premium) fail their step. Default: standard.
                             * @enum {unknown}
                             */
                            quality_level?: "draft" | "standard" | "high" | "premium";
                            /** @description For prompts and conditions, as `processing_options.seo_requirements`. */
                            seo_requirements?: boolean;
                            /** @description For prompts, as `{{processing_options.target_audience}}`. */
                            target_audience?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_rules?: {
                            /** @description Items of a group; groups follow each other. Default: 10. */
                            batch_size?: number;
                            /** @description Whether the items of a group run side by side. Default: true. */
                            parallel_processing?: boolean;
                            /** @description The same as ai_options.quality_threshold, which wins. */
                            quality_threshold?: number;
                        };
                        user_context?: {
                            /** @description For prompts, as `{{user_context.department}}`. */
                            department?: string;
                            /** @description For prompts. It permits nothing: who calls decides what may be done. */
                            permissions?: string[];
                            /** @description For prompts, as `{{user_context.role}}`. */
                            role?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description The flow to run. */
                    flow_id: string;
                    /** @description One of its versions. Default: the current one. */
                    flow_version?: number;
                    options?: {
                        ai_options?: {
                            cost_limit?: number;
                            /** @description Whether another provider may answer when the one that was asked cannot. */
                            fallback_enabled?: boolean;
                            /** @description Providers to ask first, for steps that name no model. */
                            preferred_providers?: string[];
                            /** @description Lowest quality of texts that models write. */
                            quality_threshold?: number;
                        };
                        /** @description Whom to tell of this execution. */
                        callback_config?: {
                            /**
                             * Format: email
                             * @description Is sent a mail when it is over. Where this server sends none, `warnings` in the answer says so.
                             */
                            notification_email?: string;
                            /** @description Whether it also hears of progress. Default: true. */
                            progress_callbacks?: boolean;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        error_handling?: {
                            /** @enum {unknown} */
                            fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            /** @description Whether whoever is to be notified is told when it fails. */
                            notification_on_failure?: boolean;
                            /** @description Further tries of a step that says nothing itself. */
                            retry_attempts?: number;
                            /** @description Seconds before the first of them. */
                            retry_delay?: number;
                        };
                        /**
                         * @description Whether the answer is the result, or comes at once while it waits in the queue. Default: synchronous.
                         * @enum {unknown}
                         */
                        execution_mode?: "synchronous" | "asynchronous";
                        /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                        max_execution_time?: number | string;
                        monitoring?: {
                            /** @description Whether decisions are kept with their reasons. Default: true. */
                            capture_agent_decisions?: boolean;
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether callbacks tell of progress as well, not of beginning and end alone. */
                            send_progress_updates?: boolean;
                            /** @description Whether outputs of steps are kept after the end. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        /** @description The same as `callback_config`, with more to say. */
                        notifications?: {
                            /** @description An address that is sent a mail when it is over; `true`: that of `notification_email`, else that of the account. Where this server sends none, `warnings` in the answer says so. */
                            email_on_completion?: boolean | string;
                            /** @description Seconds, or a text such as `30s`: so often the webhook hears how far it is. Default: with each step, and in a batch with each item. */
                            progress_interval?: number | string;
                            /** @description Is sent a message when it is over. Where this server sends none, `warnings` in the answer says so. */
                            slack_channel?: string;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        /**
                         * @description Higher ones leave the queue sooner. Default: normal.
                         * @enum {unknown}
                         */
                        priority?: "low" | "normal" | "high" | "urgent";
                        resource_limits?: {
                            max_concurrent_ai_calls?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                        retry_config?: {
                            /** @description Whether each further pause is twice as long. Default: true. */
                            exponential_backoff?: boolean;
                            max_attempts?: number;
                            /** @description Whether a provider that cannot be asked is asked again. Default: true. */
                            retry_on_provider_error?: boolean;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description All about an execution that is over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_decisions: {
                            /** @description Who decided. */
                            agent: string;
                            /** @description The other options there were. */
                            alternative_paths_considered: string[];
                            /** @description 0 to 1; null when nothing measured it. */
                            confidence: number | null;
                            /** @description What was looked at. */
                            context_used: string[];
                            /** @description The option that was chosen. */
                            decision: string;
                            /** @description Why. */
                            reasoning: string;
                            /** @description The step after which it was decided. */
                            step: string;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            workflow_modifications: {
                                /** @description Steps that run because of it. */
                                steps_added: string[];
                                /** @description Steps that do not run because of it. */
                                steps_skipped: string[];
                            };
                        }[];
                        /** @description Null without a batch. */
                        batch: {
                            items_failed: number;
                            items_succeeded: number;
                            items_total: number;
                        } | null;
                        callback_info?: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        /** @description Why it did not complete; null when it did. */
                        error: {
                            code: string;
                            /** @description The same as in the error that a caller who waits gets. */
                            details: {
                                [key: string]: unknown;
                            };
                            message: string;
                            /** @description What `POST /executions/{execution_id}/recover` could do. Empty where nothing can be recovered. */
                            recovery_options?: {
                                /** @enum {unknown} */
                                action: "retry_with_different_provider" | "continue_without_failed_step" | "restart_from_checkpoint";
                                /** @description What it does. */
                                description: string;
                                /** @description Dollars; null without any history. */
                                estimated_cost: number | null;
                                /** @description Seconds; null without any history. */
                                estimated_time: number | null;
                                /** @description What it means for the result. */
                                impact: string;
                            }[];
                        } | null;
                        execution_id: string;
                        execution_summary: {
                            agent_decisions_made: number;
                            /** @description Seconds from its start to its end. */
                            execution_time: number;
                            flow_id: string;
                            /** @description The version that ran. */
                            flow_version: number;
                            /** @description Steps that ran, whatever became of them; in a batch over all items. */
                            steps_executed: number;
                            steps_skipped: number;
                            /** @description Percentage of the steps that ran and succeeded; null when none ran. */
                            success_rate: number | null;
                            /** @description Dollars. */
                            total_cost: number;
                        };
                        /** @description In the order the steps ended. */
                        execution_timeline: {
                            /** @description Epoch seconds. */
                            completed_at: number;
                            /** @description Seconds. */
                            duration: number;
                            /** @description Epoch seconds. */
                            started_at: number;
                            step: string;
                        }[];
                        /** @description The execution it was forked from. */
                        forked_from: string | null;
                        performance_metrics: {
                            /** @description Seconds that models took, added up; steps may run side by side. */
                            ai_processing_time: number;
                            /** @description Seconds that calls of external APIs took, added up. */
                            api_call_time: number;
                            /** @description Calls that were answered from the cache. */
                            cache_hits: number;
                            /** @description Seconds that steps computed on this server. */
                            data_processing_time: number;
                            /** @description Percentage of steps by the provider that answered them. */
                            provider_distribution: {
                                [key: string]: number;
                            };
                            /** @description Calls of models. Those answered from the cache are not among them. */
                            total_ai_calls: number;
                            /** @description Dollars. */
                            total_cost: number;
                            /** @description Seconds from its start to its end. */
                            total_execution_time: number;
                            total_tokens_used: number;
                        };
                        quality_metrics: {
                            /** @description 0 to 1; null without a decision that has one. */
                            agent_confidence_avg: number | null;
                            /** @description 0 to 100, of the texts that were measured; null when none was. */
                            output_quality_score: number | null;
                            /** @description Percentage: 100 or 0, and in a batch that of its items. */
                            overall_success_rate: number;
                            /** @description Percentage of the steps that ran; null when none did. */
                            step_success_rate: number | null;
                        };
                        /** @description What its numbers show could be better; empty when they show nothing. */
                        recommendations: string[];
                        resource_utilization: {
                            /** @description How often the cache of answers was asked. */
                            cache_operations: number;
                            /** @description Seconds that steps computed on this server. */
                            cpu_time: number;
                            /** @description Requests to external APIs. */
                            network_requests: number;
                            /** @description Megabytes that context, memory and outputs took at most. */
                            peak_memory_usage: number | null;
                        };
                        /** @description What came out: the output of the last step, or by id those of all steps nothing comes after. In a batch a list by item. */
                        result: unknown;
                        /** @description What steps left for others. In a batch each key has a list by item. */
                        shared_memory: {
                            [key: string]: unknown;
                        };
                        skipped_steps: {
                            reason: string;
                            step: string;
                        }[];
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description By step id. Steps that were skipped are in `skipped_steps`. */
                        step_results: {
                            [key: string]: {
                                /** @description Who answered; null when no model was asked. */
                                ai_provider: string | null;
                                /** @description Of external_api steps: what was called, without its query. */
                                api_endpoint?: string;
                                /** @description Of external_api steps: seconds. */
                                api_response_time?: number;
                                /** @description Tries, the first included. */
                                attempts: number;
                                /** @description Of conditional steps, as far as they were looked at. */
                                conditions_evaluated?: {
                                    /** @description Null unless it was the one that held. */
                                    action_taken: string | null;
                                    condition: string;
                                    result: boolean;
                                }[];
                                /** @description 0 to 1; null when nothing measured it. */
                                confidence: number | null;
                                /** @description Dollars; null when a model without a price answered. */
                                cost: number | null;
                                /** @description Why it did not succeed; null when it did. */
                                error: {
                                    code: string;
                                    /** @description What is known besides. */
                                    details?: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Which of a batch, from 0. */
                                    item?: number;
                                    message: string;
                                    /** @description Who could not answer. */
                                    provider?: string;
                                    /** @description The step that failed. */
                                    step?: string;
                                } | null;
                                /** @description Seconds. */
                                execution_time: number;
                                /** @description In a batch: items for which this step failed. */
                                items_failed?: number;
                                /** @description What people call the step. */
                                label: string | null;
                                /** @description The model that answered. */
                                model_used: string | null;
                                /** @description Of ai_prompt steps with post_processing. */
                                post_processing_applied?: unknown;
                                /** @description 0 to 100; null when nothing measured it. */
                                quality: number | null;
                                /** @description What the step made. In a batch a list by item. */
                                results: unknown;
                                /** @description The execution this result was taken over from. */
                                reused_from?: string;
                                /** @description Of conditional steps: where it goes on, and why. */
                                routing_decision?: unknown;
                                step_type: string;
                                success: boolean;
                                /** @description Tokens that went in and came out. */
                                tokens_used: number;
                                /** @description Of data_transform steps. */
                                transformations_applied?: unknown;
                                /** @description The step failed, and `results` is its fallback message. */
                                used_fallback?: boolean;
                            };
                        };
                        /** @description Whether it completed. */
                        success: boolean;
                        /** @description Epoch seconds at which this was told. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description It waits in the queue. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description pending when somebody has to agree first. */
                        approval: string | null;
                        callback_info: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        /** @description Epoch seconds; null without any history. */
                        estimated_completion_time: number | null;
                        /** @description Epoch seconds; null while it waits for somebody, or when nothing shows how fast those before it go. */
                        estimated_start_time: number | null;
                        execution_config: {
                            /** @description Dollars; null without any history. */
                            estimated_cost: number | null;
                            /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                            estimated_from: string | null;
                            priority: string;
                            resource_allocation: {
                                /** @description Models it may ask at once. */
                                ai_call_slots: number;
                                /** @description The same as its priority. */
                                cpu_priority: string;
                                /** @description Megabytes it may take at most. */
                                memory_reserved: number;
                            };
                        };
                        execution_id: string;
                        flow_id: string;
                        flow_version: number;
                        monitoring: {
                            /** @description Whether it will also be told of progress. */
                            progress_notifications: boolean;
                            /** @description Where to ask how it goes. */
                            status_url: string;
                            /** @description Where to hear how it goes. */
                            stream_url: string;
                            /** @description Whether an address was named that will be called. */
                            webhook_configured: boolean;
                        };
                        /** @description 1 is next; null when it does not wait in the queue. */
                        queue_position: number | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It will run. */
                        success: boolean;
                        /** @description Epoch seconds. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    executeFlowAsync: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What placeholders and conditions of the flow can read; further fields are welcome, as a flow needs them. */
                    context?: {
                        /** @description What the flow works on, as `{{content}}`. */
                        content?: unknown;
                        /** @description Each item goes through the whole flow: a text as its `content`, an object laid over the context. One that fails does not end the others. */
                        content_batch?: unknown[];
                        metadata?: {
                            /** @description For prompts, as `{{metadata.content_type}}`. */
                            content_type?: string;
                            /**
                             * Format: date-time
                             * @description By then it must be over; else it ends with EXECUTION_TIMEOUT.
                             */
                            deadline?: string;
                            /** @description For prompts, as `{{metadata.language}}`. */
                            language?: string;
                            /** @description For prompts, as `{{metadata.source}}`. */
                            source?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_options?: {
                            /**
                             * @description Higher ones leave the queue sooner. Default: normal.
                             * @enum {unknown}
                             */
                            priority?: "low" | "normal" | "high" | "urgent";
                            /**
                             * @description Texts of models below a quality of 60 (high) or 75 (premium) fail their step. Default: standard.
                             * @enum {unknown}
                             */
                            quality_level?: "draft" | "standard" | "high" | "premium";
                            /** @description For prompts and conditions, as `processing_options.seo_requirements`. */
                            seo_requirements?: boolean;
                            /** @description For prompts, as `{{processing_options.target_audience}}`. */
                            target_audience?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_rules?: {
                            /** @description Items of a group; groups follow each other. Default: 10. */
                            batch_size?: number;
                            /** @description Whether the items of a group run side by side. Default: true. */
                            parallel_processing?: boolean;
                            /** @description The same as ai_options.quality_threshold, which wins. */
                            quality_threshold?: number;
                        };
                        user_context?: {
                            /** @description For prompts, as `{{user_context.department}}`. */
                            department?: string;
                            /** @description For prompts. It permits nothing: who calls decides what may be done. */
                            permissions?: string[];
                            /** @description For prompts, as `{{user_context.role}}`. */
                            role?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description The flow to run. */
                    flow_id: string;
                    /** @description One of its versions. Default: the current one. */
                    flow_version?: number;
                    options?: {
                        ai_options?: {
                            cost_limit?: number;
                            /** @description Whether another provider may answer when the one that was asked cannot. */
                            fallback_enabled?: boolean;
                            /** @description Providers to ask first, for steps that name no model. */
                            preferred_providers?: string[];
                            /** @description Lowest quality of texts that models write. */
                            quality_threshold?: number;
                        };
                        /** @description Whom to tell of this execution. */
                        callback_config?: {
                            /**
                             * Format: email
                             * @description Is sent a mail when it is over. Where this server sends none, `warnings` in the answer says so.
                             */
                            notification_email?: string;
                            /** @description Whether it also hears of progress. Default: true. */
                            progress_callbacks?: boolean;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        error_handling?: {
                            /** @enum {unknown} */
                            fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            /** @description Whether whoever is to be notified is told when it fails. */
                            notification_on_failure?: boolean;
                            /** @description Further tries of a step that says nothing itself. */
                            retry_attempts?: number;
                            /** @description Seconds before the first of them. */
                            retry_delay?: number;
                        };
                        /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                        max_execution_time?: number | string;
                        monitoring?: {
                            /** @description Whether decisions are kept with their reasons. Default: true. */
                            capture_agent_decisions?: boolean;
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether callbacks tell of progress as well, not of beginning and end alone. */
                            send_progress_updates?: boolean;
                            /** @description Whether outputs of steps are kept after the end. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        /** @description The same as `callback_config`, with more to say. */
                        notifications?: {
                            /** @description An address that is sent a mail when it is over; `true`: that of `notification_email`, else that of the account. Where this server sends none, `warnings` in the answer says so. */
                            email_on_completion?: boolean | string;
                            /** @description Seconds, or a text such as `30s`: so often the webhook hears how far it is. Default: with each step, and in a batch with each item. */
                            progress_interval?: number | string;
                            /** @description Is sent a message when it is over. Where this server sends none, `warnings` in the answer says so. */
                            slack_channel?: string;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        /**
                         * @description Higher ones leave the queue sooner. Default: normal.
                         * @enum {unknown}
                         */
                        priority?: "low" | "normal" | "high" | "urgent";
                        resource_limits?: {
                            max_concurrent_ai_calls?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                        retry_config?: {
                            /** @description Whether each further pause is twice as long. Default: true. */
                            exponential_backoff?: boolean;
                            max_attempts?: number;
                            /** @description Whether a provider that cannot be asked is asked again. Default: true. */
                            retry_on_provider_error?: boolean;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description It waits in the queue. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description pending when somebody has to agree first. */
                        approval: string | null;
                        callback_info: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        /** @description Epoch seconds; null without any history. */
                        estimated_completion_time: number | null;
                        /** @description Epoch seconds; null while it waits for somebody, or when nothing shows how fast those before it go. */
                        estimated_start_time: number | null;
                        execution_config: {
                            /** @description Dollars; null without any history. */
                            estimated_cost: number | null;
                            /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                            estimated_from: string | null;
                            priority: string;
                            resource_allocation: {
                                /** @description Models it may ask at once. */
                                ai_call_slots: number;
                                /** @description The same as its priority. */
                                cpu_priority: string;
                                /** @description Megabytes it may take at most. */
                                memory_reserved: number;
                            };
                        };
                        execution_id: string;
                        flow_id: string;
                        flow_version: number;
                        monitoring: {
                            /** @description Whether it will also be told of progress. */
                            progress_notifications: boolean;
                            /** @description Where to ask how it goes. */
                            status_url: string;
                            /** @description Where to hear how it goes. */
                            stream_url: string;
                            /** @description Whether an address was named that will be called. */
                            webhook_configured: boolean;
                        };
                        /** @description 1 is next; null when it does not wait in the queue. */
                        queue_position: number | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It will run. */
                        success: boolean;
                        /** @description Epoch seconds. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readExecutionStatus: {
        parameters: {
            query?: {
                /** @description Steps one by one, decisions and the last lines of the log. */
                include_details?: boolean;
                /** @description What steps have left for others so far. It may be large. */
                include_memory?: boolean;
                /** @description What is to be expected, from executions before. */
                include_predictions?: boolean;
            };
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where an execution stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Left out with include_details=false. */
                        agent_activity?: {
                            /** @description Who decided. */
                            agent: string;
                            /** @description The other options there were. */
                            alternative_paths_considered: string[];
                            /** @description 0 to 1; null when nothing measured it. */
                            confidence: number | null;
                            /** @description What was looked at. */
                            context_used: string[];
                            /** @description The option that was chosen. */
                            decision: string;
                            /** @description Why. */
                            reasoning: string;
                            /** @description The step after which it was decided. */
                            step: string;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            workflow_modifications: {
                                /** @description Steps that run because of it. */
                                steps_added: string[];
                                /** @description Steps that do not run because of it. */
                                steps_skipped: string[];
                            };
                        }[];
                        /** @description pending, approved or rejected; null when nobody has to agree. */
                        approval: string | null;
                        /** @description Left out with include_details=false. */
                        completed_steps?: {
                            /** @description Epoch seconds. */
                            completed_at: number;
                            /** @description Dollars; null when a model without a price answered. */
                            cost: number | null;
                            /** @description Seconds. */
                            execution_time: number;
                            /** @description Which of a batch, from 0. */
                            item?: number;
                            /** @enum {unknown} */
                            status: "completed" | "failed" | "skipped";
                            step_id: string;
                            step_type: string;
                            tokens_used: number;
                        }[];
                        cost_tracking: {
                            /** @description Dollars; null when neither the flow nor the caller set a limit. */
                            budget_remaining: number | null;
                            /** @description Dollars by provider. */
                            cost_by_provider: {
                                [key: string]: number;
                            };
                            /** @description Dollars so far. */
                            current_cost: number;
                            /** @description Dollars; null without any history. */
                            estimated_total_cost: number | null;
                        };
                        /** @description queued, awaiting_approval, awaiting_capacity, starting, ai_processing, evaluating_conditions, calling_api, transforming_data, between_steps, cancelling, completed, failed or cancelled. */
                        current_phase: string;
                        /** @description Null when no step is under way. Left out with include_details=false. */
                        current_step_details?: {
                            /** @description Null until it is settled who answers. */
                            ai_provider: string | null;
                            /** @description Seconds. */
                            elapsed_time: number;
                            /** @description The end of what a model has said so far. */
                            intermediate_output: string | null;
                            /** @description The model the step names; null when the default chain answers. */
                            model: string | null;
                            progress_indicators: {
                                ai_response_streaming: boolean;
                                prompt_processed: boolean;
                                response_processing: boolean;
                                validation: boolean;
                            };
                            /** @description Epoch seconds. */
                            started_at: number;
                            /** @enum {string} */
                            status: "processing";
                            step_id: string;
                            step_type: string;
                        } | null;
                        /** @description Why it did not succeed; null when it did. */
                        error: {
                            code: string;
                            /** @description What is known besides. */
                            details?: {
                                [key: string]: unknown;
                            };
                            /** @description Which of a batch, from 0. */
                            item?: number;
                            message: string;
                            /** @description Who could not answer. */
                            provider?: string;
                            /** @description The step that failed. */
                            step?: string;
                        } | null;
                        execution_id: string;
                        flow_id: string;
                        flow_version: number;
                        performance_indicators: {
                            /** @description Seconds; null before a step has run. */
                            average_step_time: number | null;
                            /** @description healthy, degraded (a step failed or was tried again) or critical (it failed). */
                            execution_health: string;
                            /** @description Seconds on average, by provider. */
                            provider_response_times: {
                                [key: string]: number;
                            };
                            /** @description Percentage; null before a step has run. */
                            step_success_rate: number | null;
                        };
                        /** @description Left out with include_predictions=false. */
                        predictions?: {
                            /** @description 0 to 1, from executions before; null without any. */
                            completion_confidence: number | null;
                            /** @description Dollars; null without any history. */
                            estimated_final_cost: number | null;
                            /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                            estimated_from: string | null;
                            /** @description Empty when the numbers show none. */
                            optimization_opportunities: string[];
                            /** @description Empty when the numbers show none. */
                            potential_issues: string[];
                        };
                        progress: {
                            /** @description The step that has been under way longest; null when none is. */
                            current_step: string | null;
                            /** @description Percentage: by the time it usually takes, else by the phases it has reached; null when neither is known. */
                            current_step_progress: number | null;
                            /** @description Share of steps that are over. */
                            overall_percentage: number;
                            /** @description Steps that are over, those that were skipped included. */
                            steps_completed: number;
                            steps_remaining: number;
                            /** @description In a batch those of all items. */
                            steps_total: number;
                        };
                        /** @description The last 50 lines. Left out with include_details=false. */
                        real_time_logs?: {
                            /** @description What is known besides. */
                            details: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            level: "debug" | "info" | "warning" | "error";
                            message: string;
                            /** @description Seconds it took, where something was waited for. */
                            response_time?: number;
                            /** @description Grows by one with everything that happens; `after` of the next request. */
                            seq: number;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            /** @description What happened, such as `step_completed` or `log`. */
                            type: string;
                        }[];
                        resource_usage: {
                            /** @description Steps that talk to a model or an external API at this moment. */
                            active_connections: number;
                            /** @description Percentage of the time in which steps computed on this server. */
                            cpu_usage: number;
                            /** @description Megabytes that context, memory and outputs take. */
                            current_memory: number;
                            /** @description Megabytes they took at most. */
                            peak_memory: number;
                            /** @description 1 is next; null when it does not wait in the queue. */
                            queue_position: number | null;
                        };
                        /** @description What steps have left for others so far. Left out with include_memory=false. */
                        shared_memory_state?: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        timing: {
                            /** @description Epoch seconds. */
                            current_time: number;
                            /** @description Seconds. */
                            elapsed_time: number;
                            /** @description Epoch seconds; null without any history. */
                            estimated_completion: number | null;
                            /** @description Seconds; null without any history. */
                            estimated_remaining: number | null;
                            /** @description Epoch seconds at which something last happened. */
                            last_activity: number;
                            /** @description Epoch seconds; null before it began. */
                            started_at: number | null;
                        };
                        /** @description Left out with include_details=false. */
                        upcoming_steps?: {
                            dependencies: string[];
                            /** @description Seconds; null without any history. */
                            estimated_duration: number | null;
                            /** @description In a batch: items that have it before them. */
                            items_remaining?: number;
                            step_id: string;
                            step_type: string;
                        }[];
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    followExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that is known. */
                "last-event-id"?: number;
            };
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream that ends with the execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description It is over and its last event is known: there is no need to come again. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                /** @description Whose. `manage workflows` for those of others. */
                account?: string;
                /** @description `as_of` of an earlier page. */
                as_of?: string;
                flow_id?: string;
                /** @description Entries on a page. */
                limit?: number;
                order?: "oldest" | "newest";
                /** @description Which page, from 1. */
                page?: number;
                priority?: "low" | "normal" | "high" | "urgent";
                /** @description Only those that this schedule has started. */
                schedule_id?: string;
                /** @description How the id begins. */
                search?: string;
                /** @description Created then or later. */
                since?: string;
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description Created before. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The newest that matches, for the pages after this one; null when there is none. */
                        as_of: string | null;
                        executions: {
                            account_id: string;
                            /** @description pending, approved or rejected; null when nobody has to agree. */
                            approval: string | null;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description Seconds; null until it is over. */
                            duration: number | null;
                            /** @description Why it failed. */
                            error_code: string | null;
                            /** @description Why it failed, for people. */
                            error_message: string | null;
                            execution_id: string;
                            /** @description Epoch seconds. */
                            finished_at: number | null;
                            flow_id: string;
                            flow_label: string;
                            flow_version: number;
                            /** @description Items of its batch; 0 without one. */
                            items: number;
                            /** @enum {unknown} */
                            priority: "low" | "normal" | "high" | "urgent";
                            /** @description Percentage of steps that are over. */
                            progress: number;
                            /** @description The schedule that has started it; null when somebody did. */
                            schedule_id: string | null;
                            /** @description Epoch seconds. */
                            started_at: number | null;
                            /** @enum {unknown} */
                            status: "queued" | "running" | "completed" | "failed" | "cancelled";
                            /** @description Dollars so far. */
                            total_cost: number;
                        }[];
                        /** @description Executions that match. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_decisions: {
                            /** @description Who decided. */
                            agent: string;
                            /** @description The other options there were. */
                            alternative_paths_considered: string[];
                            /** @description 0 to 1; null when nothing measured it. */
                            confidence: number | null;
                            /** @description What was looked at. */
                            context_used: string[];
                            /** @description The option that was chosen. */
                            decision: string;
                            /** @description Why. */
                            reasoning: string;
                            /** @description The step after which it was decided. */
                            step: string;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            workflow_modifications: {
                                /** @description Steps that run because of it. */
                                steps_added: string[];
                                /** @description Steps that do not run because of it. */
                                steps_skipped: string[];
                            };
                        }[];
                        /** @description Null without a batch. */
                        batch: {
                            items_failed: number;
                            items_succeeded: number;
                            items_total: number;
                        } | null;
                        callback_info?: {
                            /** @description What it will hear of. */
                            supported_events: string[];
                            /** @description What the calls are signed with. Told once: null in an answer that takes the place of one that was lost. */
                            webhook_secret: string | null;
                            /** @description Who is called, as it was given; null when nobody is. */
                            webhook_url: string | null;
                        };
                        /** @description Why it did not complete; null when it did. */
                        error: {
                            code: string;
                            /** @description The same as in the error that a caller who waits gets. */
                            details: {
                                [key: string]: unknown;
                            };
                            message: string;
                            /** @description What `POST /executions/{execution_id}/recover` could do. Empty where nothing can be recovered. */
                            recovery_options?: {
                                /** @enum {unknown} */
                                action: "retry_with_different_provider" | "continue_without_failed_step" | "restart_from_checkpoint";
                                /** @description What it does. */
                                description: string;
                                /** @description Dollars; null without any history. */
                                estimated_cost: number | null;
                                /** @description Seconds; null without any history. */
                                estimated_time: number | null;
                                /** @description What it means for the result. */
                                impact: string;
                            }[];
                        } | null;
                        execution_id: string;
                        execution_summary: {
                            agent_decisions_made: number;
                            /** @description Seconds from its start to its end. */
                            execution_time: number;
                            flow_id: string;
                            /** @description The version that ran. */
                            flow_version: number;
                            /** @description Steps that ran, whatever became of them; in a batch over all items. */
                            steps_executed: number;
                            steps_skipped: number;
                            /** @description Percentage of the steps that ran and succeeded; null when none ran. */
                            success_rate: number | null;
                            /** @description Dollars. */
                            total_cost: number;
                        };
                        /** @description In the order the steps ended. */
                        execution_timeline: {
                            /** @description Epoch seconds. */
                            completed_at: number;
                            /** @description Seconds. */
                            duration: number;
                            /** @description Epoch seconds. */
                            started_at: number;
                            step: string;
                        }[];
                        /** @description The execution it was forked from. */
                        forked_from: string | null;
                        performance_metrics: {
                            /** @description Seconds that models took, added up; steps may run side by side. */
                            ai_processing_time: number;
                            /** @description Seconds that calls of external APIs took, added up. */
                            api_call_time: number;
                            /** @description Calls that were answered from the cache. */
                            cache_hits: number;
                            /** @description Seconds that steps computed on this server. */
                            data_processing_time: number;
                            /** @description Percentage of steps by the provider that answered them. */
                            provider_distribution: {
                                [key: string]: number;
                            };
                            /** @description Calls of models. Those answered from the cache are not among them. */
                            total_ai_calls: number;
                            /** @description Dollars. */
                            total_cost: number;
                            /** @description Seconds from its start to its end. */
                            total_execution_time: number;
                            total_tokens_used: number;
                        };
                        quality_metrics: {
                            /** @description 0 to 1; null without a decision that has one. */
                            agent_confidence_avg: number | null;
                            /** @description 0 to 100, of the texts that were measured; null when none was. */
                            output_quality_score: number | null;
                            /** @description Percentage: 100 or 0, and in a batch that of its items. */
                            overall_success_rate: number;
                            /** @description Percentage of the steps that ran; null when none did. */
                            step_success_rate: number | null;
                        };
                        /** @description What its numbers show could be better; empty when they show nothing. */
                        recommendations: string[];
                        resource_utilization: {
                            /** @description How often the cache of answers was asked. */
                            cache_operations: number;
                            /** @description Seconds that steps computed on this server. */
                            cpu_time: number;
                            /** @description Requests to external APIs. */
                            network_requests: number;
                            /** @description Megabytes that context, memory and outputs took at most. */
                            peak_memory_usage: number | null;
                        };
                        /** @description What came out: the output of the last step, or by id those of all steps nothing comes after. In a batch a list by item. */
                        result: unknown;
                        /** @description What steps left for others. In a batch each key has a list by item. */
                        shared_memory: {
                            [key: string]: unknown;
                        };
                        skipped_steps: {
                            reason: string;
                            step: string;
                        }[];
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description By step id. Steps that were skipped are in `skipped_steps`. */
                        step_results: {
                            [key: string]: {
                                /** @description Who answered; null when no model was asked. */
                                ai_provider: string | null;
                                /** @description Of external_api steps: what was called, without its query. */
                                api_endpoint?: string;
                                /** @description Of external_api steps: seconds. */
                                api_response_time?: number;
                                /** @description Tries, the first included. */
                                attempts: number;
                                /** @description Of conditional steps, as far as they were looked at. */
                                conditions_evaluated?: {
                                    /** @description Null unless it was the one that held. */
                                    action_taken: string | null;
                                    condition: string;
                                    result: boolean;
                                }[];
                                /** @description 0 to 1; null when nothing measured it. */
                                confidence: number | null;
                                /** @description Dollars; null when a model without a price answered. */
                                cost: number | null;
                                /** @description Why it did not succeed; null when it did. */
                                error: {
                                    code: string;
                                    /** @description What is known besides. */
                                    details?: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Which of a batch, from 0. */
                                    item?: number;
                                    message: string;
                                    /** @description Who could not answer. */
                                    provider?: string;
                                    /** @description The step that failed. */
                                    step?: string;
                                } | null;
                                /** @description Seconds. */
                                execution_time: number;
                                /** @description In a batch: items for which this step failed. */
                                items_failed?: number;
                                /** @description What people call the step. */
                                label: string | null;
                                /** @description The model that answered. */
                                model_used: string | null;
                                /** @description Of ai_prompt steps with post_processing. */
                                post_processing_applied?: unknown;
                                /** @description 0 to 100; null when nothing measured it. */
                                quality: number | null;
                                /** @description What the step made. In a batch a list by item. */
                                results: unknown;
                                /** @description The execution this result was taken over from. */
                                reused_from?: string;
                                /** @description Of conditional steps: where it goes on, and why. */
                                routing_decision?: unknown;
                                step_type: string;
                                success: boolean;
                                /** @description Tokens that went in and came out. */
                                tokens_used: number;
                                /** @description Of data_transform steps. */
                                transformations_applied?: unknown;
                                /** @description The step failed, and `results` is its fallback message. */
                                used_fallback?: boolean;
                            };
                        };
                        /** @description Whether it completed. */
                        success: boolean;
                        /** @description Epoch seconds at which this was told. */
                        timestamp: number;
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    } | {
                        /** @description Left out with include_details=false. */
                        agent_activity?: {
                            /** @description Who decided. */
                            agent: string;
                            /** @description The other options there were. */
                            alternative_paths_considered: string[];
                            /** @description 0 to 1; null when nothing measured it. */
                            confidence: number | null;
                            /** @description What was looked at. */
                            context_used: string[];
                            /** @description The option that was chosen. */
                            decision: string;
                            /** @description Why. */
                            reasoning: string;
                            /** @description The step after which it was decided. */
                            step: string;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            workflow_modifications: {
                                /** @description Steps that run because of it. */
                                steps_added: string[];
                                /** @description Steps that do not run because of it. */
                                steps_skipped: string[];
                            };
                        }[];
                        /** @description pending, approved or rejected; null when nobody has to agree. */
                        approval: string | null;
                        /** @description Left out with include_details=false. */
                        completed_steps?: {
                            /** @description Epoch seconds. */
                            completed_at: number;
                            /** @description Dollars; null when a model without a price answered. */
                            cost: number | null;
                            /** @description Seconds. */
                            execution_time: number;
                            /** @description Which of a batch, from 0. */
                            item?: number;
                            /** @enum {unknown} */
                            status: "completed" | "failed" | "skipped";
                            step_id: string;
                            step_type: string;
                            tokens_used: number;
                        }[];
                        cost_tracking: {
                            /** @description Dollars; null when neither the flow nor the caller set a limit. */
                            budget_remaining: number | null;
                            /** @description Dollars by provider. */
                            cost_by_provider: {
                                [key: string]: number;
                            };
                            /** @description Dollars so far. */
                            current_cost: number;
                            /** @description Dollars; null without any history. */
                            estimated_total_cost: number | null;
                        };
                        /** @description queued, awaiting_approval, awaiting_capacity, starting, ai_processing, evaluating_conditions, calling_api, transforming_data, between_steps, cancelling, completed, failed or cancelled. */
                        current_phase: string;
                        /** @description Null when no step is under way. Left out with include_details=false. */
                        current_step_details?: {
                            /** @description Null until it is settled who answers. */
                            ai_provider: string | null;
                            /** @description Seconds. */
                            elapsed_time: number;
                            /** @description The end of what a model has said so far. */
                            intermediate_output: string | null;
                            /** @description The model the step names; null when the default chain answers. */
                            model: string | null;
                            progress_indicators: {
                                ai_response_streaming: boolean;
                                prompt_processed: boolean;
                                response_processing: boolean;
                                validation: boolean;
                            };
                            /** @description Epoch seconds. */
                            started_at: number;
                            /** @enum {string} */
                            status: "processing";
                            step_id: string;
                            step_type: string;
                        } | null;
                        /** @description Why it did not succeed; null when it did. */
                        error: {
                            code: string;
                            /** @description What is known besides. */
                            details?: {
                                [key: string]: unknown;
                            };
                            /** @description Which of a batch, from 0. */
                            item?: number;
                            message: string;
                            /** @description Who could not answer. */
                            provider?: string;
                            /** @description The step that failed. */
                            step?: string;
                        } | null;
                        execution_id: string;
                        flow_id: string;
                        flow_version: number;
                        performance_indicators: {
                            /** @description Seconds; null before a step has run. */
                            average_step_time: number | null;
                            /** @description healthy, degraded (a step failed or was tried again) or critical (it failed). */
                            execution_health: string;
                            /** @description Seconds on average, by provider. */
                            provider_response_times: {
                                [key: string]: number;
                            };
                            /** @description Percentage; null before a step has run. */
                            step_success_rate: number | null;
                        };
                        /** @description Left out with include_predictions=false. */
                        predictions?: {
                            /** @description 0 to 1, from executions before; null without any. */
                            completion_confidence: number | null;
                            /** @description Dollars; null without any history. */
                            estimated_final_cost: number | null;
                            /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                            estimated_from: string | null;
                            /** @description Empty when the numbers show none. */
                            optimization_opportunities: string[];
                            /** @description Empty when the numbers show none. */
                            potential_issues: string[];
                        };
                        progress: {
                            /** @description The step that has been under way longest; null when none is. */
                            current_step: string | null;
                            /** @description Percentage: by the time it usually takes, else by the phases it has reached; null when neither is known. */
                            current_step_progress: number | null;
                            /** @description Share of steps that are over. */
                            overall_percentage: number;
                            /** @description Steps that are over, those that were skipped included. */
                            steps_completed: number;
                            steps_remaining: number;
                            /** @description In a batch those of all items. */
                            steps_total: number;
                        };
                        /** @description The last 50 lines. Left out with include_details=false. */
                        real_time_logs?: {
                            /** @description What is known besides. */
                            details: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            level: "debug" | "info" | "warning" | "error";
                            message: string;
                            /** @description Seconds it took, where something was waited for. */
                            response_time?: number;
                            /** @description Grows by one with everything that happens; `after` of the next request. */
                            seq: number;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            /** @description What happened, such as `step_completed` or `log`. */
                            type: string;
                        }[];
                        resource_usage: {
                            /** @description Steps that talk to a model or an external API at this moment. */
                            active_connections: number;
                            /** @description Percentage of the time in which steps computed on this server. */
                            cpu_usage: number;
                            /** @description Megabytes that context, memory and outputs take. */
                            current_memory: number;
                            /** @description Megabytes they took at most. */
                            peak_memory: number;
                            /** @description 1 is next; null when it does not wait in the queue. */
                            queue_position: number | null;
                        };
                        /** @description What steps have left for others so far. Left out with include_memory=false. */
                        shared_memory_state?: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        timing: {
                            /** @description Epoch seconds. */
                            current_time: number;
                            /** @description Seconds. */
                            elapsed_time: number;
                            /** @description Epoch seconds; null without any history. */
                            estimated_completion: number | null;
                            /** @description Seconds; null without any history. */
                            estimated_remaining: number | null;
                            /** @description Epoch seconds at which something last happened. */
                            last_activity: number;
                            /** @description Epoch seconds; null before it began. */
                            started_at: number | null;
                        };
                        /** @description Left out with include_details=false. */
                        upcoming_steps?: {
                            dependencies: string[];
                            /** @description Seconds; null without any history. */
                            estimated_duration: number | null;
                            /** @description In a batch: items that have it before them. */
                            items_remaining?: number;
                            step_id: string;
                            step_type: string;
                        }[];
                        warnings: {
                            /** @description The value that was found. */
                            actual: number | null;
                            message: string;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description The value that was reached, where there is one. */
                            threshold: number | null;
                            /** @description Such as `step_warning`, `step_retried`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`. */
                            type: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    approveExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why, for whoever asked for the execution. */
                    note?: string;
                } | null;
            };
        };
        responses: {
            /** @description What was decided. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        approval: "approved" | "rejected";
                        execution_id: string;
                        /** @description As it was given. */
                        note: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It is decided. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Removes what steps had made, once it is cancelled; this answer is the last place that has it. Default: false. */
                    cleanup?: boolean;
                    /** @description Takes the execution away from a worker that does not answer within two seconds. What its calls cost is not known then, and counts in full. Default: false. */
                    force?: boolean;
                    /** @description Why, for whoever looks at the execution later. */
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description What it had made, and what became of the rest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds; null while its worker has not answered. */
                        cancelled_at: number | null;
                        /**
                         * @description `completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.
                         * @enum {unknown}
                         */
                        cleanup_status: "completed" | "removed" | "in_progress";
                        execution_id: string;
                        /** @description What completed steps had made, by step; in a batch each has a list by item. */
                        partial_results: {
                            [key: string]: unknown;
                        };
                        /** @description Dollars that were set aside for calls and came back, because they were not made or cost less. */
                        refund_amount: number;
                        /**
                         * @description `cancelled`; still `running` in an answer with 202.
                         * @enum {unknown}
                         */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Steps that will not run any more because of this, those that were stopped included. */
                        steps_cancelled: number;
                        /** @description Steps that had been completed, over all items of a batch. */
                        steps_completed: number;
                        /** @description It is cancelled, or will be as soon as its worker answers. */
                        success: boolean;
                    };
                };
            };
            /** @description What it had made, and what became of the rest. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds; null while its worker has not answered. */
                        cancelled_at: number | null;
                        /**
                         * @description `completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.
                         * @enum {unknown}
                         */
                        cleanup_status: "completed" | "removed" | "in_progress";
                        execution_id: string;
                        /** @description What completed steps had made, by step; in a batch each has a list by item. */
                        partial_results: {
                            [key: string]: unknown;
                        };
                        /** @description Dollars that were set aside for calls and came back, because they were not made or cost less. */
                        refund_amount: number;
                        /**
                         * @description `cancelled`; still `running` in an answer with 202.
                         * @enum {unknown}
                         */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description Steps that will not run any more because of this, those that were stopped included. */
                        steps_cancelled: number;
                        /** @description Steps that had been completed, over all items of a batch. */
                        steps_completed: number;
                        /** @description It is cancelled, or will be as soon as its worker answers. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    forkExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Fields that take the place of those the first execution was given. */
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description This step and everything after it runs; what was settled before is taken over. */
                    from_step: string;
                    /** @description Keys of the shared memory that take the place of what was there. A key that a step taken over wrote has this value instead. */
                    memory?: {
                        [key: string]: unknown;
                    };
                    options?: {
                        ai_options?: {
                            cost_limit?: number;
                            /** @description Whether another provider may answer when the one that was asked cannot. */
                            fallback_enabled?: boolean;
                            /** @description Providers to ask first, for steps that name no model. */
                            preferred_providers?: string[];
                            /** @description Lowest quality of texts that models write. */
                            quality_threshold?: number;
                        };
                        error_handling?: {
                            /** @enum {unknown} */
                            fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            /** @description Whether whoever is to be notified is told when it fails. */
                            notification_on_failure?: boolean;
                            /** @description Further tries of a step that says nothing itself. */
                            retry_attempts?: number;
                            /** @description Seconds before the first of them. */
                            retry_delay?: number;
                        };
                        /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                        max_execution_time?: number | string;
                        monitoring?: {
                            /** @description Whether decisions are kept with their reasons. Default: true. */
                            capture_agent_decisions?: boolean;
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether callbacks tell of progress as well, not of beginning and end alone. */
                            send_progress_updates?: boolean;
                            /** @description Whether outputs of steps are kept after the end. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        resource_limits?: {
                            max_concurrent_ai_calls?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                        retry_config?: {
                            /** @description Whether each further pause is twice as long. Default: true. */
                            exponential_backoff?: boolean;
                            max_attempts?: number;
                            /** @description Whether a provider that cannot be asked is asked again. Default: true. */
                            retry_on_provider_error?: boolean;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The new execution waits in the queue. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `pending` when somebody has to agree first. */
                        approval: string | null;
                        /** @description The new execution. */
                        execution_id: string;
                        forked_from: string;
                        from_step: string;
                        /** @description Steps whose outcome was taken over. */
                        reused_steps: string[];
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It will run. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readExecutionLogs: {
        parameters: {
            query?: {
                /** @description `last_seq` of the page before. */
                after?: number;
                /** @description This one and graver ones. */
                level?: "debug" | "info" | "warning" | "error";
                /** @description Lines at most. */
                limit?: number;
                /** @description Only lines about this step. */
                step?: string;
            };
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        execution_id: string;
                        /** @description Whether there are further lines now. */
                        has_more: boolean;
                        /** @description Of the last line here; `after` itself when there is none. */
                        last_seq: number;
                        logs: {
                            /** @description What is known besides. */
                            details: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            level: "debug" | "info" | "warning" | "error";
                            message: string;
                            /** @description Seconds it took, where something was waited for. */
                            response_time?: number;
                            /** @description Grows by one with everything that happens; `after` of the next request. */
                            seq: number;
                            /** @description The step it is about. */
                            step: string | null;
                            /** @description Epoch seconds. */
                            timestamp: number;
                            /** @description What happened, such as `step_completed` or `log`. */
                            type: string;
                        }[];
                        /** @description Lines that match, on all pages. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    recoverExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `restart_from_checkpoint` runs what failed again; `retry_with_different_provider` also leaves out the providers that failed; `continue_without_failed_step` goes on without it.
                     * @enum {unknown}
                     */
                    action: "retry_with_different_provider" | "continue_without_failed_step" | "restart_from_checkpoint";
                };
            };
        };
        responses: {
            /** @description It waits in the queue again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What was done. */
                        action: string;
                        execution_id: string;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It will go on. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    rejectExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the execution was started. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why, for whoever asked for the execution. */
                    note?: string;
                } | null;
            };
        };
        responses: {
            /** @description What was decided. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        approval: "approved" | "rejected";
                        execution_id: string;
                        /** @description As it was given. */
                        note: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                        /** @description It is decided. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listFlows: {
        parameters: {
            query?: {
                /** @description Only those that come with the platform, or only the others. */
                built_in?: boolean;
                /** @description Only those of this category. */
                category?: string;
                /** @description Only those of this level. */
                complexity_level?: string;
                /** @description Only those of this department. */
                department?: string;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Only those you made. */
                mine?: boolean;
                /** @description Which page, from 1. */
                page?: number;
                /** @description A piece of the id, label, description, tags or use cases, in whatever case. */
                search?: string;
                /** @description Only those with this tag. */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of flows, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        flows: {
                            /** @description Whether every execution waits for somebody who agrees. */
                            approval_required: boolean;
                            /** @description Whether it comes with the platform, and can be copied but not changed. */
                            built_in: boolean;
                            /** @description What kind of flow it is. */
                            category: string | null;
                            /** @description As its metadata say. */
                            complexity_level: string | null;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description Who made it, as its metadata say. */
                            created_by: string | null;
                            /** @description Whom it belongs to, as its metadata say. */
                            department: string | null;
                            /** @description What it is for. */
                            description: string | null;
                            /** @description Names the flow. */
                            id: string;
                            /** @description What people call it. */
                            label: string;
                            /** @description The account that made it; null for those that come with the platform. */
                            owner_id: string | null;
                            /** @description The number of this version: 1, and one more with each save. */
                            revision: number;
                            /** @description How many steps it has. */
                            steps: number;
                            /** @description Words it is found by. */
                            tags: string[];
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description What it is good for. */
                            use_cases: string[];
                            /** @description What its author calls this version, else the number of the revision. */
                            version: string;
                        }[];
                        /** @description How many flows there are, on all pages. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    createFlow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A flow, and what people know about it. */
        requestBody: {
            content: {
                "application/json": {
                    flow_definition: {
                        /** @description What kind of flow it is. */
                        category?: string;
                        /** @description What it is for. */
                        description?: string;
                        global_configuration?: {
                            /** @description Whether steps with `agent_routing` may decide at all. Default: true. */
                            agent_routing_enabled?: boolean;
                            cost_controls?: {
                                /** @description Whether the call that could pass `max_total_cost` is not made and the execution fails. `false` warns and goes on. Default: true. */
                                auto_abort_on_budget_exceeded?: boolean;
                                /** @description Each is told once, when the cost of an execution reaches it. */
                                cost_alerts?: number[];
                                max_total_cost?: number;
                            };
                            error_handling?: {
                                /**
                                 * @description For steps without `on_failure`.
                                 * @enum {unknown}
                                 */
                                fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                                /** @description Further tries of a step that says nothing itself. */
                                global_retry_attempts?: number;
                                /** @description Whether the owner is notified when an execution fails. */
                                notification_on_failure?: boolean;
                            };
                            monitoring?: {
                                /** @description Whether outputs of steps are kept after the end. Default: true. */
                                capture_intermediate_results?: boolean;
                                /** @description Adds debug lines to the log of an execution. */
                                enable_detailed_logging?: boolean;
                                /** @description Whether executions count in analytics and predictions. Default: true. */
                                track_performance_metrics?: boolean;
                            };
                            resource_limits?: {
                                max_concurrent_ai_calls?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                max_execution_time?: number | string;
                                /** @description Megabytes, or a text such as `512MB`. */
                                max_memory_usage?: number | string;
                            };
                            /** @description Whether the next execution by the same account begins with the memory this one ends with. */
                            shared_memory_persistent?: boolean;
                        };
                        /** @description Names the flow. */
                        id: string;
                        label: string;
                        steps: ({
                            /** @description Whether an agent chooses one of `routing_options` after the answer. */
                            agent_routing?: boolean;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the default chain answers. */
                                model?: string;
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                system_prompt?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            post_processing?: {
                                /** @description Draws tables of numbers as charts below them. */
                                add_charts?: boolean;
                                checks?: ("readability" | "structure" | "seo" | "language" | "length" | "sentiment")[];
                                /** @enum {unknown} */
                                format?: "markdown" | "html" | "plain_text" | "json";
                                /** @description Puts a table of contents before the text. */
                                include_toc?: boolean;
                                min_quality_score?: number;
                                /**
                                 * @description `format` turns the text into `format`. `quality_check` runs `checks` and fails below `min_quality_score`. `extract_json` keeps the JSON in the answer. `summarize` keeps its most telling sentences.
                                 * @enum {unknown}
                                 */
                                operation: "format" | "quality_check" | "extract_json" | "summarize";
                            }[];
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            prompt: string;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            routing_options?: {
                                [key: string]: {
                                    /** @description Steps that only run when this option is chosen. */
                                    add_steps?: string[];
                                    /** @description Offered only when this holds: `{field, operator, value}`, or the same as text: `analysis.score < 70`. */
                                    condition?: {
                                        /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                        field: string;
                                        /**
                                         * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                         * @enum {unknown}
                                         */
                                        operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                        /** @description What the field is compared with. */
                                        value?: unknown;
                                    } | string;
                                    /** @description Names the step inside its flow. */
                                    continue_to?: string;
                                    /** @description When to choose it; told to the agent. */
                                    reason?: string;
                                };
                            };
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            routing_prompt?: string;
                            /** @enum {string} */
                            type: "ai_prompt";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description The first that holds decides. */
                            conditions: {
                                action: {
                                    /** @description Names the step inside its flow. */
                                    next_step?: string;
                                    /** @description Told with the decision. */
                                    reason?: string;
                                    /** @description Names the step inside its flow. */
                                    target_step?: string;
                                    /**
                                     * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                     * @enum {unknown}
                                     */
                                    type: "continue" | "jump_to_step";
                                };
                                /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                field: string;
                                /**
                                 * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                 * @enum {unknown}
                                 */
                                operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                /** @description What the field is compared with. */
                                value?: unknown;
                            }[];
                            default_action?: {
                                /** @description Names the step inside its flow. */
                                next_step?: string;
                                /** @description Told with the decision. */
                                reason?: string;
                                /** @description Names the step inside its flow. */
                                target_step?: string;
                                /**
                                 * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                 * @enum {unknown}
                                 */
                                type: "continue" | "jump_to_step";
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "conditional";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            api: {
                                /** @description JSON, or a text sent as it is; `{{path}}` is filled in everywhere in it. */
                                body?: unknown;
                                headers?: {
                                    [key: string]: string;
                                };
                                /**
                                 * @description Default: GET, or POST with a body.
                                 * @enum {unknown}
                                 */
                                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                                /** @description Further tries when the call fails or answers 429 or 5xx. */
                                retry_attempts?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                timeout?: number | string;
                                /** @description May have `{{path}}` in path and query, not in the host. */
                                url: string;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "external_api";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @description One after the other; each sees what the one before made as `previous`. */
                            transformations: {
                                /** @enum {unknown} */
                                calculation_method?: "average" | "weighted_average" | "sum" | "min" | "max" | "median" | "count";
                                /** @description The fields that are merged, calculated or summarised. Default: all. */
                                fields?: string[];
                                /** @description Adds a chart of the numbers. */
                                include_visualizations?: boolean;
                                /**
                                 * @description `deep` joins objects at every level, `shallow` at the first; the later source wins. `concat` makes one list. `first` keeps the first source that has a value.
                                 * @enum {unknown}
                                 */
                                merge_strategy?: "deep" | "shallow" | "concat" | "first";
                                /** @enum {unknown} */
                                operation: "merge" | "calculate_metrics" | "generate_summary";
                                /** @description What it works on. Default: everything in the shared memory. */
                                sources?: string[];
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                template?: string;
                            }[];
                            /** @enum {string} */
                            type: "data_transform";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description An id of the catalogue of agents. */
                            agent: string;
                            /** @description Default: whichever is current when the step begins. */
                            agent_version?: number;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the agent says which, or the default chain. */
                                model?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What the agent works on, with `{{path}}`. Default: `{{content}}`. */
                            input?: string;
                            /** @description What is asked of it besides what it does anyway, with `{{path}}`. */
                            instructions?: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            /** @description What its prompt asks for by name, such as `target_language`; texts may have `{{path}}`. */
                            parameters?: {
                                [key: string]: string | number | boolean;
                            };
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "agent";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        })[];
                        tags?: string[];
                        /** @description What its author calls this version. Default: the number of the version. */
                        version?: string;
                    };
                    metadata?: {
                        /** @description Whether every execution waits until somebody who manages workflows agrees. */
                        approval_required?: boolean;
                        /** @description In whatever words are used in the house. Lists can be narrowed to it. */
                        complexity_level?: string;
                        /** @description Who made it, as people say it. Default: the username of whoever saves it first. */
                        created_by?: string;
                        /** @description Whom it belongs to. Lists can be narrowed to it. */
                        department?: string;
                        estimated_cost?: number;
                        /** @description Seconds, or a text such as `90s`, `2 minutes` or `3-5 minutes` (the middle counts). The estimate until executions have shown better. */
                        estimated_duration?: number | string;
                        /** @description What it is good for. Lists are searched by it, and recommendations go by it. */
                        use_cases?: string[];
                    };
                    /** @description What changed, in your words. Shown in the list of versions. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description What was saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deployment_info: {
                            /**
                             * @description `approval_required`: every execution waits for somebody who agrees.
                             * @enum {unknown}
                             */
                            approval_status: "auto_approved" | "approval_required";
                            /** @description When this revision was saved, in epoch seconds. */
                            created_at: number;
                            /** @description Where it is run. */
                            endpoint: string;
                            /** @description Where it is read. */
                            flow_url: string;
                            /** @description The number of this version: 1, and one more with each save. */
                            revision: number;
                            /** @description What its author calls this version, else the number of the revision. */
                            version: string;
                        };
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @description How the flow is built, and what it is likely to take. */
                        flow_summary: {
                            /** @description The way through the flow that takes longest, step by step. */
                            critical_path: string[];
                            /** @description What each step waits for, by its id: its dependencies, and whoever decides about it. */
                            dependencies: {
                                [key: string]: string[];
                            };
                            /** @description Dollars for one execution; null when nobody knows. */
                            estimated_cost: number | null;
                            /** @description Seconds for one execution; null when nobody knows. */
                            estimated_duration: number | null;
                            estimated_from: {
                                cost: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                                duration: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                            };
                            /** @description Hosts that are called. */
                            external_hosts: string[];
                            /** @description Names the flow. */
                            flow_id: string;
                            /** @description What people call it. */
                            label: string;
                            /** @description What the steps write into the shared memory. */
                            memory_keys: string[];
                            /** @description Models that are named; steps that name none are answered by the default chain. */
                            models: string[];
                            /** @description Steps by how many others come before them; those of one group can run side by side. */
                            parallel_groups: string[][];
                            steps_by_type: {
                                /** @description Steps that an agent does. */
                                agent: number;
                                /** @description Steps that ask a model. */
                                ai_prompt: number;
                                /** @description Steps that decide. */
                                conditional: number;
                                /** @description Steps that compute. */
                                data_transform: number;
                                /** @description Steps that call another API. */
                                external_api: number;
                            };
                            /** @description Steps that only run when an agent adds them. */
                            steps_on_demand: string[];
                            /** @description How many steps it has. */
                            total_steps: number;
                        };
                        /** @description What is left to do. */
                        next_steps: string[];
                        /**
                         * @description `unchanged`: it is the same as the current revision, and no new one was made.
                         * @enum {unknown}
                         */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                        validation_results: {
                            /** @description Everything that is wrong. */
                            errors: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                            /** @description Paths that the context of an execution must have. */
                            required_inputs: string[];
                            /** @description Whether it could be saved. */
                            valid: boolean;
                            /** @description What will work, but perhaps not as meant. */
                            warnings: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One revision of a flow. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether every execution waits for somebody who agrees. */
                        approval_required: boolean;
                        /** @description Whether it comes with the platform, and can be copied but not changed. */
                        built_in: boolean;
                        /** @description What kind of flow it is. */
                        category: string | null;
                        /** @description As its metadata say. */
                        complexity_level: string | null;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description Who made it, as its metadata say. */
                        created_by: string | null;
                        /** @description The revision that runs when nobody names one. */
                        current_revision: number;
                        /** @description Whom it belongs to, as its metadata say. */
                        department: string | null;
                        /** @description What it is for. */
                        description: string | null;
                        /** @description The flow as it was saved; `PUT` takes it back. */
                        flow_definition: {
                            [key: string]: unknown;
                        };
                        /** @description The same as `id`. */
                        flow_id: string;
                        /** @description Names the flow. */
                        id: string;
                        /** @description What people call it. */
                        label: string;
                        /** @description What people know about it, as it was saved with this revision. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** @description What changed, in the words of whoever saved it. */
                        note: string | null;
                        /** @description The account that made it; null for those that come with the platform. */
                        owner_id: string | null;
                        /** @description Paths that the context of an execution must have. */
                        required_inputs: string[];
                        /** @description The number of this version: 1, and one more with each save. */
                        revision: number;
                        /** @description When this revision was saved, in epoch seconds. */
                        saved_at: number;
                        /** @description The account that saved it; null for the platform itself. */
                        saved_by: string | null;
                        /** @description How many steps it has. */
                        steps: number;
                        /** @description Words it is found by. */
                        tags: string[];
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description What it is good for. */
                        use_cases: string[];
                        /** @description What its author calls this version, else the number of the revision. */
                        version: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    changeFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The flow as it shall be. Metadata that are left out stay as they are. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The revision you made your change on. When it is no longer the current one, nothing is saved (409). The same as `If-Match`. */
                    expected_version?: number;
                    flow_definition: {
                        /** @description What kind of flow it is. */
                        category?: string;
                        /** @description What it is for. */
                        description?: string;
                        global_configuration?: {
                            /** @description Whether steps with `agent_routing` may decide at all. Default: true. */
                            agent_routing_enabled?: boolean;
                            cost_controls?: {
                                /** @description Whether the call that could pass `max_total_cost` is not made and the execution fails. `false` warns and goes on. Default: true. */
                                auto_abort_on_budget_exceeded?: boolean;
                                /** @description Each is told once, when the cost of an execution reaches it. */
                                cost_alerts?: number[];
                                max_total_cost?: number;
                            };
                            error_handling?: {
                                /**
                                 * @description For steps without `on_failure`.
                                 * @enum {unknown}
                                 */
                                fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                                /** @description Further tries of a step that says nothing itself. */
                                global_retry_attempts?: number;
                                /** @description Whether the owner is notified when an execution fails. */
                                notification_on_failure?: boolean;
                            };
                            monitoring?: {
                                /** @description Whether outputs of steps are kept after the end. Default: true. */
                                capture_intermediate_results?: boolean;
                                /** @description Adds debug lines to the log of an execution. */
                                enable_detailed_logging?: boolean;
                                /** @description Whether executions count in analytics and predictions. Default: true. */
                                track_performance_metrics?: boolean;
                            };
                            resource_limits?: {
                                max_concurrent_ai_calls?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                max_execution_time?: number | string;
                                /** @description Megabytes, or a text such as `512MB`. */
                                max_memory_usage?: number | string;
                            };
                            /** @description Whether the next execution by the same account begins with the memory this one ends with. */
                            shared_memory_persistent?: boolean;
                        };
                        /** @description Names the flow. */
                        id: string;
                        label: string;
                        steps: ({
                            /** @description Whether an agent chooses one of `routing_options` after the answer. */
                            agent_routing?: boolean;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the default chain answers. */
                                model?: string;
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                system_prompt?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            post_processing?: {
                                /** @description Draws tables of numbers as charts below them. */
                                add_charts?: boolean;
                                checks?: ("readability" | "structure" | "seo" | "language" | "length" | "sentiment")[];
                                /** @enum {unknown} */
                                format?: "markdown" | "html" | "plain_text" | "json";
                                /** @description Puts a table of contents before the text. */
                                include_toc?: boolean;
                                min_quality_score?: number;
                                /**
                                 * @description `format` turns the text into `format`. `quality_check` runs `checks` and fails below `min_quality_score`. `extract_json` keeps the JSON in the answer. `summarize` keeps its most telling sentences.
                                 * @enum {unknown}
                                 */
                                operation: "format" | "quality_check" | "extract_json" | "summarize";
                            }[];
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            prompt: string;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            routing_options?: {
                                [key: string]: {
                                    /** @description Steps that only run when this option is chosen. */
                                    add_steps?: string[];
                                    /** @description Offered only when this holds: `{field, operator, value}`, or the same as text: `analysis.score < 70`. */
                                    condition?: {
                                        /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                        field: string;
                                        /**
                                         * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                         * @enum {unknown}
                                         */
                                        operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                        /** @description What the field is compared with. */
                                        value?: unknown;
                                    } | string;
                                    /** @description Names the step inside its flow. */
                                    continue_to?: string;
                                    /** @description When to choose it; told to the agent. */
                                    reason?: string;
                                };
                            };
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            routing_prompt?: string;
                            /** @enum {string} */
                            type: "ai_prompt";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description The first that holds decides. */
                            conditions: {
                                action: {
                                    /** @description Names the step inside its flow. */
                                    next_step?: string;
                                    /** @description Told with the decision. */
                                    reason?: string;
                                    /** @description Names the step inside its flow. */
                                    target_step?: string;
                                    /**
                                     * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                     * @enum {unknown}
                                     */
                                    type: "continue" | "jump_to_step";
                                };
                                /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                field: string;
                                /**
                                 * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                 * @enum {unknown}
                                 */
                                operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                /** @description What the field is compared with. */
                                value?: unknown;
                            }[];
                            default_action?: {
                                /** @description Names the step inside its flow. */
                                next_step?: string;
                                /** @description Told with the decision. */
                                reason?: string;
                                /** @description Names the step inside its flow. */
                                target_step?: string;
                                /**
                                 * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                 * @enum {unknown}
                                 */
                                type: "continue" | "jump_to_step";
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "conditional";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            api: {
                                /** @description JSON, or a text sent as it is; `{{path}}` is filled in everywhere in it. */
                                body?: unknown;
                                headers?: {
                                    [key: string]: string;
                                };
                                /**
                                 * @description Default: GET, or POST with a body.
                                 * @enum {unknown}
                                 */
                                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                                /** @description Further tries when the call fails or answers 429 or 5xx. */
                                retry_attempts?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                timeout?: number | string;
                                /** @description May have `{{path}}` in path and query, not in the host. */
                                url: string;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "external_api";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @description One after the other; each sees what the one before made as `previous`. */
                            transformations: {
                                /** @enum {unknown} */
                                calculation_method?: "average" | "weighted_average" | "sum" | "min" | "max" | "median" | "count";
                                /** @description The fields that are merged, calculated or summarised. Default: all. */
                                fields?: string[];
                                /** @description Adds a chart of the numbers. */
                                include_visualizations?: boolean;
                                /**
                                 * @description `deep` joins objects at every level, `shallow` at the first; the later source wins. `concat` makes one list. `first` keeps the first source that has a value.
                                 * @enum {unknown}
                                 */
                                merge_strategy?: "deep" | "shallow" | "concat" | "first";
                                /** @enum {unknown} */
                                operation: "merge" | "calculate_metrics" | "generate_summary";
                                /** @description What it works on. Default: everything in the shared memory. */
                                sources?: string[];
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                template?: string;
                            }[];
                            /** @enum {string} */
                            type: "data_transform";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description An id of the catalogue of agents. */
                            agent: string;
                            /** @description Default: whichever is current when the step begins. */
                            agent_version?: number;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the agent says which, or the default chain. */
                                model?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What the agent works on, with `{{path}}`. Default: `{{content}}`. */
                            input?: string;
                            /** @description What is asked of it besides what it does anyway, with `{{path}}`. */
                            instructions?: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            /** @description What its prompt asks for by name, such as `target_language`; texts may have `{{path}}`. */
                            parameters?: {
                                [key: string]: string | number | boolean;
                            };
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "agent";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        })[];
                        tags?: string[];
                        /** @description What its author calls this version. Default: the number of the version. */
                        version?: string;
                    };
                    metadata?: {
                        /** @description Whether every execution waits until somebody who manages workflows agrees. */
                        approval_required?: boolean;
                        /** @description In whatever words are used in the house. Lists can be narrowed to it. */
                        complexity_level?: string;
                        /** @description Who made it, as people say it. Default: the username of whoever saves it first. */
                        created_by?: string;
                        /** @description Whom it belongs to. Lists can be narrowed to it. */
                        department?: string;
                        estimated_cost?: number;
                        /** @description Seconds, or a text such as `90s`, `2 minutes` or `3-5 minutes` (the middle counts). The estimate until executions have shown better. */
                        estimated_duration?: number | string;
                        /** @description What it is good for. Lists are searched by it, and recommendations go by it. */
                        use_cases?: string[];
                    };
                    /** @description What changed, in your words. Shown in the list of versions. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description What was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deployment_info: {
                            /**
                             * @description `approval_required`: every execution waits for somebody who agrees.
                             * @enum {unknown}
                             */
                            approval_status: "auto_approved" | "approval_required";
                            /** @description When this revision was saved, in epoch seconds. */
                            created_at: number;
                            /** @description Where it is run. */
                            endpoint: string;
                            /** @description Where it is read. */
                            flow_url: string;
                            /** @description The number of this version: 1, and one more with each save. */
                            revision: number;
                            /** @description What its author calls this version, else the number of the revision. */
                            version: string;
                        };
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @description How the flow is built, and what it is likely to take. */
                        flow_summary: {
                            /** @description The way through the flow that takes longest, step by step. */
                            critical_path: string[];
                            /** @description What each step waits for, by its id: its dependencies, and whoever decides about it. */
                            dependencies: {
                                [key: string]: string[];
                            };
                            /** @description Dollars for one execution; null when nobody knows. */
                            estimated_cost: number | null;
                            /** @description Seconds for one execution; null when nobody knows. */
                            estimated_duration: number | null;
                            estimated_from: {
                                cost: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                                duration: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                            };
                            /** @description Hosts that are called. */
                            external_hosts: string[];
                            /** @description Names the flow. */
                            flow_id: string;
                            /** @description What people call it. */
                            label: string;
                            /** @description What the steps write into the shared memory. */
                            memory_keys: string[];
                            /** @description Models that are named; steps that name none are answered by the default chain. */
                            models: string[];
                            /** @description Steps by how many others come before them; those of one group can run side by side. */
                            parallel_groups: string[][];
                            steps_by_type: {
                                /** @description Steps that an agent does. */
                                agent: number;
                                /** @description Steps that ask a model. */
                                ai_prompt: number;
                                /** @description Steps that decide. */
                                conditional: number;
                                /** @description Steps that compute. */
                                data_transform: number;
                                /** @description Steps that call another API. */
                                external_api: number;
                            };
                            /** @description Steps that only run when an agent adds them. */
                            steps_on_demand: string[];
                            /** @description How many steps it has. */
                            total_steps: number;
                        };
                        /** @description What is left to do. */
                        next_steps: string[];
                        /**
                         * @description `unchanged`: it is the same as the current revision, and no new one was made.
                         * @enum {unknown}
                         */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                        validation_results: {
                            /** @description Everything that is wrong. */
                            errors: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                            /** @description Paths that the context of an execution must have. */
                            required_inputs: string[];
                            /** @description Whether it could be saved. */
                            valid: boolean;
                            /** @description What will work, but perhaps not as meant. */
                            warnings: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    deleteFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flow is gone. Its executions and their results stay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Executions of it that go on to their end. */
                        executions_under_way: number;
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @enum {unknown} */
                        status: "deleted";
                        /** @description Always true. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    diffFlowVersions: {
        parameters: {
            query?: {
                /** @description The older one. Default: the one before `to`. */
                from?: number;
                /** @description The newer one. Default: the current one. */
                to?: number;
            };
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is different between two revisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether nothing is different. */
                        equal: boolean;
                        /** @description Fields of the flow itself. */
                        flow: {
                            /** @enum {unknown} */
                            change: "added" | "removed" | "changed";
                            /** @description Null when it is gone. */
                            new_value: unknown;
                            /** @description Null when it was not there. */
                            old_value: unknown;
                            /** @description Such as `conditions[0].value`. */
                            path: string;
                        }[];
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @description The revision it is compared with. */
                        from: number;
                        metadata: {
                            /** @enum {unknown} */
                            change: "added" | "removed" | "changed";
                            /** @description Null when it is gone. */
                            new_value: unknown;
                            /** @description Null when it was not there. */
                            old_value: unknown;
                            /** @description Such as `conditions[0].value`. */
                            path: string;
                        }[];
                        steps: {
                            added: {
                                /** @description Its id. */
                                id: string;
                                /** @description Its label. */
                                label: string | null;
                                /** @description Its type. */
                                type: string;
                            }[];
                            changed: {
                                changes: {
                                    /** @enum {unknown} */
                                    change: "added" | "removed" | "changed";
                                    /** @description Null when it is gone. */
                                    new_value: unknown;
                                    /** @description Null when it was not there. */
                                    old_value: unknown;
                                    /** @description Such as `conditions[0].value`. */
                                    path: string;
                                }[];
                                /** @description Its id. */
                                id: string;
                                /** @description Its label. */
                                label: string | null;
                                /** @description Its type. */
                                type: string;
                            }[];
                            moved: {
                                /** @description Its place before, from 0, among the steps that stayed. */
                                from: number;
                                /** @description Its id. */
                                id: string;
                                /** @description Its place now. */
                                to: number;
                            }[];
                            removed: {
                                /** @description Its id. */
                                id: string;
                                /** @description Its label. */
                                label: string | null;
                                /** @description Its type. */
                                type: string;
                            }[];
                        };
                        /** @description The same for people, a line for each. */
                        summary: string[];
                        /** @description The revision that is compared. */
                        to: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readFlowMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is remembered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        flow_id: string;
                        /** @description The shared memory by key; empty when nothing is remembered. */
                        memory: {
                            [key: string]: unknown;
                        };
                        /** @description What it takes. */
                        size_bytes: number;
                        /** @description Always true. */
                        success: boolean;
                        /** @description Epoch seconds; null when nothing is remembered. */
                        updated_at: number | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    clearFlowMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether there was anything to forget. */
                        cleared: boolean;
                        flow_id: string;
                        /** @description Nothing is remembered now. */
                        success: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    rollBackFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The revision you made your change on. When it is no longer the current one, nothing is saved (409). The same as `If-Match`. */
                    expected_version?: number;
                    /** @description What changed, in your words. Shown in the list of versions. */
                    note?: string;
                    /** @description The revision that shall be again. */
                    version: number;
                };
            };
        };
        responses: {
            /** @description What was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deployment_info: {
                            /**
                             * @description `approval_required`: every execution waits for somebody who agrees.
                             * @enum {unknown}
                             */
                            approval_status: "auto_approved" | "approval_required";
                            /** @description When this revision was saved, in epoch seconds. */
                            created_at: number;
                            /** @description Where it is run. */
                            endpoint: string;
                            /** @description Where it is read. */
                            flow_url: string;
                            /** @description The number of this version: 1, and one more with each save. */
                            revision: number;
                            /** @description What its author calls this version, else the number of the revision. */
                            version: string;
                        };
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @description How the flow is built, and what it is likely to take. */
                        flow_summary: {
                            /** @description The way through the flow that takes longest, step by step. */
                            critical_path: string[];
                            /** @description What each step waits for, by its id: its dependencies, and whoever decides about it. */
                            dependencies: {
                                [key: string]: string[];
                            };
                            /** @description Dollars for one execution; null when nobody knows. */
                            estimated_cost: number | null;
                            /** @description Seconds for one execution; null when nobody knows. */
                            estimated_duration: number | null;
                            estimated_from: {
                                cost: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                                duration: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                            };
                            /** @description Hosts that are called. */
                            external_hosts: string[];
                            /** @description Names the flow. */
                            flow_id: string;
                            /** @description What people call it. */
                            label: string;
                            /** @description What the steps write into the shared memory. */
                            memory_keys: string[];
                            /** @description Models that are named; steps that name none are answered by the default chain. */
                            models: string[];
                            /** @description Steps by how many others come before them; those of one group can run side by side. */
                            parallel_groups: string[][];
                            steps_by_type: {
                                /** @description Steps that an agent does. */
                                agent: number;
                                /** @description Steps that ask a model. */
                                ai_prompt: number;
                                /** @description Steps that decide. */
                                conditional: number;
                                /** @description Steps that compute. */
                                data_transform: number;
                                /** @description Steps that call another API. */
                                external_api: number;
                            };
                            /** @description Steps that only run when an agent adds them. */
                            steps_on_demand: string[];
                            /** @description How many steps it has. */
                            total_steps: number;
                        };
                        /** @description What is left to do. */
                        next_steps: string[];
                        /**
                         * @description `unchanged`: it is the same as the current revision, and no new one was made.
                         * @enum {unknown}
                         */
                        status: "created" | "updated" | "unchanged" | "rolled_back";
                        /** @description Always true. */
                        success: boolean;
                        validation_results: {
                            /** @description Everything that is wrong. */
                            errors: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                            /** @description Paths that the context of an execution must have. */
                            required_inputs: string[];
                            /** @description Whether it could be saved. */
                            valid: boolean;
                            /** @description What will work, but perhaps not as meant. */
                            warnings: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listFlowVersions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the flow. */
                        flow_id: string;
                        /** @description How many versions there are, on all pages. */
                        total: number;
                        versions: {
                            /** @description Whether it runs when nobody names a revision. */
                            current: boolean;
                            /** @description What people call it. */
                            label: string;
                            /** @description What changed, in the words of whoever saved it. */
                            note: string | null;
                            /** @description The number of this version: 1, and one more with each save. */
                            revision: number;
                            /** @description Epoch seconds. */
                            saved_at: number;
                            /** @description The account that saved it; null for the platform itself. */
                            saved_by: string | null;
                            /** @description How many steps it has. */
                            steps: number;
                            /** @description What its author calls this version, else the number of the revision. */
                            version: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readFlowVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: string;
                /** @description The number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One revision of a flow. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether every execution waits for somebody who agrees. */
                        approval_required: boolean;
                        /** @description Whether it comes with the platform, and can be copied but not changed. */
                        built_in: boolean;
                        /** @description What kind of flow it is. */
                        category: string | null;
                        /** @description As its metadata say. */
                        complexity_level: string | null;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description Who made it, as its metadata say. */
                        created_by: string | null;
                        /** @description The revision that runs when nobody names one. */
                        current_revision: number;
                        /** @description Whom it belongs to, as its metadata say. */
                        department: string | null;
                        /** @description What it is for. */
                        description: string | null;
                        /** @description The flow as it was saved; `PUT` takes it back. */
                        flow_definition: {
                            [key: string]: unknown;
                        };
                        /** @description The same as `id`. */
                        flow_id: string;
                        /** @description Names the flow. */
                        id: string;
                        /** @description What people call it. */
                        label: string;
                        /** @description What people know about it, as it was saved with this revision. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** @description What changed, in the words of whoever saved it. */
                        note: string | null;
                        /** @description The account that made it; null for those that come with the platform. */
                        owner_id: string | null;
                        /** @description Paths that the context of an execution must have. */
                        required_inputs: string[];
                        /** @description The number of this version: 1, and one more with each save. */
                        revision: number;
                        /** @description When this revision was saved, in epoch seconds. */
                        saved_at: number;
                        /** @description The account that saved it; null for the platform itself. */
                        saved_by: string | null;
                        /** @description How many steps it has. */
                        steps: number;
                        /** @description Words it is found by. */
                        tags: string[];
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description What it is good for. */
                        use_cases: string[];
                        /** @description What its author calls this version, else the number of the revision. */
                        version: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    validateFlow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A flow, and what people know about it. */
        requestBody: {
            content: {
                "application/json": {
                    flow_definition: {
                        /** @description What kind of flow it is. */
                        category?: string;
                        /** @description What it is for. */
                        description?: string;
                        global_configuration?: {
                            /** @description Whether steps with `agent_routing` may decide at all. Default: true. */
                            agent_routing_enabled?: boolean;
                            cost_controls?: {
                                /** @description Whether the call that could pass `max_total_cost` is not made and the execution fails. `false` warns and goes on. Default: true. */
                                auto_abort_on_budget_exceeded?: boolean;
                                /** @description Each is told once, when the cost of an execution reaches it. */
                                cost_alerts?: number[];
                                max_total_cost?: number;
                            };
                            error_handling?: {
                                /**
                                 * @description For steps without `on_failure`.
                                 * @enum {unknown}
                                 */
                                fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                                /** @description Further tries of a step that says nothing itself. */
                                global_retry_attempts?: number;
                                /** @description Whether the owner is notified when an execution fails. */
                                notification_on_failure?: boolean;
                            };
                            monitoring?: {
                                /** @description Whether outputs of steps are kept after the end. Default: true. */
                                capture_intermediate_results?: boolean;
                                /** @description Adds debug lines to the log of an execution. */
                                enable_detailed_logging?: boolean;
                                /** @description Whether executions count in analytics and predictions. Default: true. */
                                track_performance_metrics?: boolean;
                            };
                            resource_limits?: {
                                max_concurrent_ai_calls?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                max_execution_time?: number | string;
                                /** @description Megabytes, or a text such as `512MB`. */
                                max_memory_usage?: number | string;
                            };
                            /** @description Whether the next execution by the same account begins with the memory this one ends with. */
                            shared_memory_persistent?: boolean;
                        };
                        /** @description Names the flow. */
                        id: string;
                        label: string;
                        steps: ({
                            /** @description Whether an agent chooses one of `routing_options` after the answer. */
                            agent_routing?: boolean;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the default chain answers. */
                                model?: string;
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                system_prompt?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            post_processing?: {
                                /** @description Draws tables of numbers as charts below them. */
                                add_charts?: boolean;
                                checks?: ("readability" | "structure" | "seo" | "language" | "length" | "sentiment")[];
                                /** @enum {unknown} */
                                format?: "markdown" | "html" | "plain_text" | "json";
                                /** @description Puts a table of contents before the text. */
                                include_toc?: boolean;
                                min_quality_score?: number;
                                /**
                                 * @description `format` turns the text into `format`. `quality_check` runs `checks` and fails below `min_quality_score`. `extract_json` keeps the JSON in the answer. `summarize` keeps its most telling sentences.
                                 * @enum {unknown}
                                 */
                                operation: "format" | "quality_check" | "extract_json" | "summarize";
                            }[];
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            prompt: string;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            routing_options?: {
                                [key: string]: {
                                    /** @description Steps that only run when this option is chosen. */
                                    add_steps?: string[];
                                    /** @description Offered only when this holds: `{field, operator, value}`, or the same as text: `analysis.score < 70`. */
                                    condition?: {
                                        /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                        field: string;
                                        /**
                                         * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                         * @enum {unknown}
                                         */
                                        operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                        /** @description What the field is compared with. */
                                        value?: unknown;
                                    } | string;
                                    /** @description Names the step inside its flow. */
                                    continue_to?: string;
                                    /** @description When to choose it; told to the agent. */
                                    reason?: string;
                                };
                            };
                            /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                            routing_prompt?: string;
                            /** @enum {string} */
                            type: "ai_prompt";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description The first that holds decides. */
                            conditions: {
                                action: {
                                    /** @description Names the step inside its flow. */
                                    next_step?: string;
                                    /** @description Told with the decision. */
                                    reason?: string;
                                    /** @description Names the step inside its flow. */
                                    target_step?: string;
                                    /**
                                     * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                     * @enum {unknown}
                                     */
                                    type: "continue" | "jump_to_step";
                                };
                                /** @description A dotted path into the shared memory and the context, such as `analysis.score` or `metadata.language`. */
                                field: string;
                                /**
                                 * @description `contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.
                                 * @enum {unknown}
                                 */
                                operator: ">=" | "<" | ">" | "<=" | "==" | "!=" | "contains" | "in" | "exists" | "matches";
                                /** @description What the field is compared with. */
                                value?: unknown;
                            }[];
                            default_action?: {
                                /** @description Names the step inside its flow. */
                                next_step?: string;
                                /** @description Told with the decision. */
                                reason?: string;
                                /** @description Names the step inside its flow. */
                                target_step?: string;
                                /**
                                 * @description `continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.
                                 * @enum {unknown}
                                 */
                                type: "continue" | "jump_to_step";
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "conditional";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            api: {
                                /** @description JSON, or a text sent as it is; `{{path}}` is filled in everywhere in it. */
                                body?: unknown;
                                headers?: {
                                    [key: string]: string;
                                };
                                /**
                                 * @description Default: GET, or POST with a body.
                                 * @enum {unknown}
                                 */
                                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                                /** @description Further tries when the call fails or answers 429 or 5xx. */
                                retry_attempts?: number;
                                /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                                timeout?: number | string;
                                /** @description May have `{{path}}` in path and query, not in the host. */
                                url: string;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "external_api";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @description One after the other; each sees what the one before made as `previous`. */
                            transformations: {
                                /** @enum {unknown} */
                                calculation_method?: "average" | "weighted_average" | "sum" | "min" | "max" | "median" | "count";
                                /** @description The fields that are merged, calculated or summarised. Default: all. */
                                fields?: string[];
                                /** @description Adds a chart of the numbers. */
                                include_visualizations?: boolean;
                                /**
                                 * @description `deep` joins objects at every level, `shallow` at the first; the later source wins. `concat` makes one list. `first` keeps the first source that has a value.
                                 * @enum {unknown}
                                 */
                                merge_strategy?: "deep" | "shallow" | "concat" | "first";
                                /** @enum {unknown} */
                                operation: "merge" | "calculate_metrics" | "generate_summary";
                                /** @description What it works on. Default: everything in the shared memory. */
                                sources?: string[];
                                /** @description Text in which `{{path}}` stands for a value of the context or the shared memory. */
                                template?: string;
                            }[];
                            /** @enum {string} */
                            type: "data_transform";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        } | {
                            /** @description An id of the catalogue of agents. */
                            agent: string;
                            /** @description Default: whichever is current when the step begins. */
                            agent_version?: number;
                            ai_options?: {
                                max_tokens?: number;
                                /** @description An id of the model catalogue; without one the agent says which, or the default chain. */
                                model?: string;
                                temperature?: number;
                            };
                            /** @description Steps that must be over before this one begins. */
                            dependencies?: string[];
                            error_handling?: {
                                fallback_message?: string;
                                /**
                                 * @description `abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.
                                 * @enum {unknown}
                                 */
                                on_failure?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            };
                            /** @description Names the step inside its flow. */
                            id: string;
                            /** @description What the agent works on, with `{{path}}`. Default: `{{content}}`. */
                            input?: string;
                            /** @description What is asked of it besides what it does anyway, with `{{path}}`. */
                            instructions?: string;
                            /** @description What people call it. */
                            label?: string;
                            output_to_memory?: string;
                            /** @description Whether it may run beside other steps; `false` has it run alone. Default: true. */
                            parallel_execution?: boolean;
                            /** @description What its prompt asks for by name, such as `target_language`; texts may have `{{path}}`. */
                            parameters?: {
                                [key: string]: string | number | boolean;
                            };
                            retry_config?: {
                                /** @description Most tries, the first included. */
                                max_attempts?: number;
                                /** @description Whether an output that does not satisfy `validation` is asked for again. */
                                retry_on_validation_failure?: boolean;
                            };
                            /** @enum {string} */
                            type: "agent";
                            /** @description What the output must satisfy for the step to succeed. */
                            validation?: {
                                /** @description Lowest confidence of the answer or decision. */
                                min_confidence?: number;
                                /** @description Fewest characters of the output. */
                                min_length?: number;
                                /** @description Lowest quality score of the text; 0 to 1 counts as a share of 100. */
                                quality_threshold?: number;
                                /** @description Fields the JSON output must have. */
                                required_fields?: string[];
                                /** @description Headings, or keys of a JSON output, that must be there. */
                                required_sections?: string[];
                            };
                        })[];
                        tags?: string[];
                        /** @description What its author calls this version. Default: the number of the version. */
                        version?: string;
                    };
                    metadata?: {
                        /** @description Whether every execution waits until somebody who manages workflows agrees. */
                        approval_required?: boolean;
                        /** @description In whatever words are used in the house. Lists can be narrowed to it. */
                        complexity_level?: string;
                        /** @description Who made it, as people say it. Default: the username of whoever saves it first. */
                        created_by?: string;
                        /** @description Whom it belongs to. Lists can be narrowed to it. */
                        department?: string;
                        estimated_cost?: number;
                        /** @description Seconds, or a text such as `90s`, `2 minutes` or `3-5 minutes` (the middle counts). The estimate until executions have shown better. */
                        estimated_duration?: number | string;
                        /** @description What it is good for. Lists are searched by it, and recommendations go by it. */
                        use_cases?: string[];
                    };
                    /** @description What changed, in your words. Shown in the list of versions. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description What saving it would say. Nothing was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Its id; null when it has none that could be one. */
                        flow_id: string | null;
                        /** @description Null while there are errors. */
                        flow_summary: {
                            /** @description The way through the flow that takes longest, step by step. */
                            critical_path: string[];
                            /** @description What each step waits for, by its id: its dependencies, and whoever decides about it. */
                            dependencies: {
                                [key: string]: string[];
                            };
                            /** @description Dollars for one execution; null when nobody knows. */
                            estimated_cost: number | null;
                            /** @description Seconds for one execution; null when nobody knows. */
                            estimated_duration: number | null;
                            estimated_from: {
                                cost: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                                duration: {
                                    /** @description 0 to 1; null when it was not learned. */
                                    confidence: number | null;
                                    /** @description How many executions or steps it was learned from. */
                                    sample: number;
                                    /** @description `flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when nobody knows. */
                                    source: string | null;
                                };
                            };
                            /** @description Hosts that are called. */
                            external_hosts: string[];
                            /** @description Names the flow. */
                            flow_id: string;
                            /** @description What people call it. */
                            label: string;
                            /** @description What the steps write into the shared memory. */
                            memory_keys: string[];
                            /** @description Models that are named; steps that name none are answered by the default chain. */
                            models: string[];
                            /** @description Steps by how many others come before them; those of one group can run side by side. */
                            parallel_groups: string[][];
                            steps_by_type: {
                                /** @description Steps that an agent does. */
                                agent: number;
                                /** @description Steps that ask a model. */
                                ai_prompt: number;
                                /** @description Steps that decide. */
                                conditional: number;
                                /** @description Steps that compute. */
                                data_transform: number;
                                /** @description Steps that call another API. */
                                external_api: number;
                            };
                            /** @description Steps that only run when an agent adds them. */
                            steps_on_demand: string[];
                            /** @description How many steps it has. */
                            total_steps: number;
                        } | (never | null);
                        /** @description Whether there is a flow of this id: `PUT` would make a new revision of it. */
                        id_taken: boolean;
                        /** @description Whether it could be saved. */
                        success: boolean;
                        validation_results: {
                            /** @description Everything that is wrong. */
                            errors: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                            /** @description Paths that the context of an execution must have. */
                            required_inputs: string[];
                            /** @description Whether it could be saved. */
                            valid: boolean;
                            /** @description What will work, but perhaps not as meant. */
                            warnings: {
                                /** @description The same for programs. */
                                code: string;
                                /** @description What is wrong there. */
                                message: string;
                                /** @description Where, such as `steps[2].conditions[0].action.target_step`. */
                                path: string;
                            }[];
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    recommendFlows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    constraints?: {
                        /** @description Seconds, or a text such as `90s`, `5 minutes` or `2 hours`. */
                        available_time_window?: number | string;
                        /** @description What flows must say they comply with; others are left out. */
                        compliance_requirements?: string[];
                        resource_limits?: {
                            /** @description With 1, nothing side by side is suggested. */
                            max_concurrent_flows?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                    };
                    context: {
                        business_requirements?: {
                            /** @description What flows should say they comply with. One that does not ranks lower. */
                            compliance_requirements?: string[];
                            /**
                             * Format: date-time
                             * @description Flows that would be done later are left out.
                             */
                            publication_deadline?: string;
                            /**
                             * @description What the other metrics, and the result, are to reach.
                             * @enum {unknown}
                             */
                            required_quality_level?: "draft" | "standard" | "high" | "premium";
                            /** @description What `seo_score` is to become. 0 to 100; up to 1 counts as a share of 100. */
                            target_seo_score?: number;
                        };
                        content_characteristics?: {
                            /** @description How demanding the content is, such as `low`, `medium` or `high`. */
                            complexity?: string;
                            /** @description What it is about. */
                            domain?: string;
                            /** @description Its language, as a code or a name. */
                            language?: string;
                            /** @description Characters of the content. */
                            length?: number;
                            /** @description Who is to read it. */
                            target_audience?: string;
                            /** @description Whom it speaks to technically. */
                            technical_level?: string;
                        };
                        /** @description What the content is, such as `article` or `product description`. */
                        content_type?: string;
                        current_quality_metrics?: {
                            /** @description How readable it is now. 0 to 100; up to 1 counts as a share of 100. */
                            readability_score?: number;
                            /** @description How well search engines can use it now. 0 to 100; up to 1 counts as a share of 100. */
                            seo_score?: number;
                            /** @description How well it is structured now. 0 to 100; up to 1 counts as a share of 100. */
                            structure_score?: number;
                            /** @description How right it is now. 0 to 100; up to 1 counts as a share of 100. */
                            technical_accuracy?: number;
                        };
                        user_context?: {
                            /** @description Where they work; flows of the same department rank higher. */
                            department?: string;
                            /** @description How much they know, such as `beginner` or `expert`. */
                            experience_level?: string;
                            /** @description Ids of flows they know; these rank higher. */
                            previous_workflows?: string[];
                            /** @description What whoever asks does. */
                            role?: string;
                        };
                    };
                    preferences?: {
                        /** @description Leaves out flows with the tag or category `experimental`, `beta` or `alpha`, or a version below 1. */
                        exclude_experimental?: boolean;
                        /** @description Adds what each score is made of, with its weight and the evidence for it. */
                        explain_recommendations?: boolean;
                        /** @description Dollars for an execution. */
                        max_cost?: number;
                        /** @description Seconds, or a text such as `90s`, `5 minutes` or `2 hours`. */
                        max_duration?: number | string;
                        /** @description Flows of which less is known are left out. */
                        min_confidence?: number;
                        /** @description Flows whose models these provide rank higher. */
                        preferred_providers?: string[];
                        /**
                         * @description What counts most. Default: balanced.
                         * @default balanced
                         * @enum {unknown}
                         */
                        prioritize?: "quality" | "cost" | "speed" | "balanced";
                    };
                };
            };
        };
        responses: {
            /** @description The flows that suit best, and why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Two flows that cover more together than the best one alone; empty without such a pair. */
                        alternative_strategies: {
                            /**
                             * @description How many of them reach outside: none, one, both.
                             * @enum {unknown}
                             */
                            coordination_complexity?: "low" | "medium" | "high";
                            description: string;
                            flows: string[];
                            /** @description How much of what is wanted both cover together, 0 to 1. */
                            quality_potential?: number;
                            /** @enum {unknown} */
                            strategy: "sequential" | "parallel";
                            /** @description Dollars. */
                            total_cost: number | null;
                            /** @description Seconds. */
                            total_duration: number | null;
                        }[];
                        context_analysis: {
                            /** @description As it was given. */
                            complexity: string | null;
                            /** @description As it was given. */
                            content_type: string | null;
                            /** @description As it was given. */
                            domain: string | null;
                            /** @description About a token for four characters of `length`; null without a length. */
                            estimated_tokens: number | null;
                            /** @description Flows there are. */
                            flows_available: number;
                            /** @description Those that were looked at closely: the 60 that fit best. */
                            flows_considered: number;
                            /** @description As it was given. */
                            language: string | null;
                            /** @description Everything flows were compared with. */
                            needs: string[];
                            /** @description Metrics below `target_seo_score` or what `required_quality_level` asks for. */
                            quality_gaps: {
                                current: number;
                                gap: number;
                                /** @enum {unknown} */
                                metric: "readability" | "seo" | "accuracy" | "structure";
                                target: number;
                            }[];
                            /** @description Seconds by the tightest of duration, window and deadline; null without any. */
                            time_available: number | null;
                        };
                        /** @description Of the first recommendation; null without one. */
                        cost_breakdown: {
                            /** @description Dollars by who provides the models, of the steps whose cost is known. */
                            by_provider: {
                                [key: string]: number;
                            };
                            by_step: {
                                /** @description Dollars of one run of the step; null when nobody can tell. */
                                cost: number | null;
                                /** @description How often it runs when the flow does, 0 to 1. */
                                run_share: number;
                                /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                                source: string | null;
                                step_id: string;
                            }[];
                            flow_id: string;
                            /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                            source: string | null;
                            /** @description Dollars; null when nobody can tell. */
                            total_estimated: number | null;
                        } | null;
                        /** @description Flows that were left out, and everything that stood against them. */
                        excluded_flows: {
                            flow_id: string;
                            reasons: string[];
                        }[];
                        recommendation_metadata: {
                            /** @description Seconds it took, measured. */
                            analysis_duration: number;
                            /** @description The version of these rules. */
                            analysis_version: string;
                            /** @description What it was made from. */
                            data_sources: string[];
                            /** @description Epoch seconds: executions that ended until then are in it. */
                            last_updated: number;
                            /** @description The mean confidence of the recommendations; null without any. */
                            model_confidence: number | null;
                            recommendations_generated: number;
                        };
                        /** @description At most ten, the best first. */
                        recommendations: {
                            /** @description 0 to 1, how much is known: 0.5 × n / (n + 10) for n executions, 0.3 × the share of what was asked that could be judged, 0.2 × how reliable the estimates are. */
                            confidence: number;
                            /** @description Other ways to run it whose numbers can be told; empty when there are none. */
                            customization_options: {
                                /** @description Dollars; null when nobody can tell. */
                                cost: number | null;
                                /** @description What is set, and what it does. */
                                description: string;
                                /** @description Seconds; null when nobody can tell. */
                                duration: number | null;
                                /** @description Points of quality that are won; null when it was not measured. */
                                quality_improvement?: number | null;
                                /** @description Points of quality that are given up; null when it was not measured. */
                                quality_tradeoff?: number | null;
                                /** @enum {unknown} */
                                variant: "premium_quality" | "cheaper_model" | "without_optional_steps";
                            }[];
                            estimated_outcomes: {
                                execution_estimates: {
                                    /** @description 0 to 1: the rate of success that is reached with a probability of 95 %, by how many executions there were; null without any. */
                                    completion_confidence: number | null;
                                    /** @description Dollars; null when nobody can tell. */
                                    cost: number | null;
                                    /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                                    cost_source: string | null;
                                    /** @description Seconds; null when nobody can tell. */
                                    duration: number | null;
                                    /** @description What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any. */
                                    duration_source: string | null;
                                    /** @description 0 to 1: (completed + 1) / (executions + 2); null without executions. */
                                    success_probability: number | null;
                                };
                                /** @description Points of 100 between the quality its texts reached on average and that of the content now; null when either is not known. */
                                quality_improvement: number | null;
                            };
                            flow_composition: {
                                ai_steps: number;
                                api_steps: number;
                                conditional_steps: number;
                                /** @description Steps that always run and whose failure ends an execution. */
                                critical_steps: string[];
                                total_steps: number;
                                transform_steps: number;
                            };
                            flow_id: string;
                            label: string;
                            /** @description 0 to 1: the mean of fit, success, quality, cost and speed, weighted as `prioritize` says. */
                            match_score: number;
                            provider_strategy: {
                                /** @description What happens when a provider cannot answer. */
                                fallback: string;
                                models: {
                                    /** @description The model that would answer now. */
                                    model: string | null;
                                    /** @description Whether the flow names it; else the default chain chose. */
                                    named: boolean;
                                    /** @description Who provides it. */
                                    provider: string | null;
                                    step_id: string;
                                }[];
                                preferred_providers_used: string[];
                                /** @description Who would answer most of its steps; null when no step asks a model. */
                                primary_provider: string | null;
                                /** @description Everybody who would be asked. */
                                providers: string[];
                            };
                            reasoning: {
                                /** @description How well it suits, by what was asked: 0 to 1, null where nothing can be told. */
                                context_alignment: {
                                    [key: string]: unknown;
                                };
                                /** @description With `explain_recommendations`: what `match_score` is made of, and the part `fit` of it. */
                                explanation?: {
                                    fit: {
                                        evidence: string;
                                        factor: string;
                                        /** @description 0 to 1; null: nothing is known, and it does not count. */
                                        score: number | null;
                                        /** @description Against the other factors of the same list. */
                                        weight: number;
                                    }[];
                                    match: {
                                        evidence: string;
                                        factor: string;
                                        /** @description 0 to 1; null: nothing is known, and it does not count. */
                                        score: number | null;
                                        /** @description Against the other factors of the same list. */
                                        weight: number;
                                    }[];
                                };
                                performance_indicators: {
                                    /** @description 0 to 100; null when none was measured. */
                                    average_quality: number | null;
                                    /** @description How often quality was measured. */
                                    quality_samples: number;
                                    /** @description Executions of the last 30 days that completed or failed. */
                                    sample_size: number;
                                    /** @description Percent; null without executions. */
                                    success_rate: number | null;
                                };
                                /** @description What speaks most for it, the weightiest first. */
                                primary_factors: string[];
                            };
                            /** @enum {unknown} */
                            recommendation_strength: "strong" | "moderate" | "weak";
                            risk_assessment: {
                                mitigation_strategies: string[];
                                potential_issues: string[];
                                /** @enum {unknown} */
                                risk_level: "low" | "medium" | "high";
                            };
                            /** @description The version that was looked at: the current one. */
                            version: number;
                        }[];
                        /** @description What speaks for and against the first recommendation succeeding. */
                        success_predictors: {
                            evidence: string;
                            /** @enum {unknown} */
                            influence: "positive" | "negative";
                            predictor: string;
                        }[];
                        workflow_comparison: {
                            comparison_matrix: {
                                confidence: number;
                                /** @description Dollars. */
                                cost: number | null;
                                /** @description Seconds. */
                                duration: number | null;
                                flow_id: string;
                                match_score: number;
                                /** @description 0 to 100. */
                                quality: number | null;
                                risk_level: string;
                                steps: number;
                                /** @description 0 to 1. */
                                success_probability: number | null;
                            }[];
                            /** @description Which one and why, in a sentence or two. */
                            recommendation_summary: string;
                        };
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Whose. `manage workflows` for those of others. */
                account?: string;
                enabled?: boolean;
                flow_id?: string;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        schedules: {
                            /** @description Whose money is spent, and who must be allowed to run workflows. */
                            account_id: string;
                            /** @description What each execution is given. */
                            context: {
                                [key: string]: unknown;
                            };
                            counts: {
                                /** @description Times at which nothing could be started. */
                                failed: number;
                                /** @description Times that were left out, because the execution before was not over. */
                                skipped: number;
                                /** @description Times that started an execution. */
                                started: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The account that made it. */
                            created_by: string | null;
                            cron: string;
                            /** @description False when somebody turned it off, or its account is disabled or deleted. */
                            enabled: boolean;
                            /** @description Epoch seconds. */
                            ends_at: number | null;
                            flow_id: string;
                            /** @description Null: whichever is current when the time comes. */
                            flow_version: number | null;
                            /** @description What people call it. */
                            label: string | null;
                            /** @description Why nothing was started the last time; null when something was. */
                            last_error: {
                                /** @description Such as FLOW_NOT_FOUND. */
                                code: string;
                                message: string;
                                /** @description Epoch seconds. */
                                occurred_at: number;
                            } | null;
                            /** @description The last execution that a time has started; null before the first. */
                            last_execution_id: string | null;
                            /** @description What became of the last time that came; null before the first. */
                            last_run: {
                                /** @description Epoch seconds: the time that came. */
                                due_at: number;
                                /** @enum {unknown} */
                                outcome: "started" | "skipped" | "failed";
                            } | null;
                            /** @description Epoch seconds; null when it does not run again. */
                            next_run_at: number | null;
                            /** @description The next five; in lists the next one alone. */
                            next_runs: {
                                /** @description The same on a clock in the time zone, with its offset. */
                                local_time: string;
                                /** @description Epoch seconds. */
                                run_at: number;
                            }[];
                            /** @description How each execution is to run. */
                            options: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            overlap: "skip" | "queue";
                            /** @enum {unknown} */
                            priority: "low" | "normal" | "high" | "urgent";
                            schedule_id: string;
                            /** @description Epoch seconds. */
                            starts_at: number | null;
                            /**
                             * @description `paused`: not enabled. `ended`: no time of it lies in its window any more.
                             * @enum {unknown}
                             */
                            status: "active" | "paused" | "ended";
                            timezone: string;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        }[];
                        /** @description Schedules on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What placeholders and conditions of the flow can read; further fields are welcome, as a flow needs them. */
                    context?: {
                        /** @description What the flow works on, as `{{content}}`. */
                        content?: unknown;
                        /** @description Each item goes through the whole flow: a text as its `content`, an object laid over the context. One that fails does not end the others. */
                        content_batch?: unknown[];
                        metadata?: {
                            /** @description For prompts, as `{{metadata.content_type}}`. */
                            content_type?: string;
                            /**
                             * Format: date-time
                             * @description By then it must be over; else it ends with EXECUTION_TIMEOUT.
                             */
                            deadline?: string;
                            /** @description For prompts, as `{{metadata.language}}`. */
                            language?: string;
                            /** @description For prompts, as `{{metadata.source}}`. */
                            source?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_options?: {
                            /**
                             * @description Higher ones leave the queue sooner. Default: normal.
                             * @enum {unknown}
                             */
                            priority?: "low" | "normal" | "high" | "urgent";
                            /**
                             * @description Texts of models below a quality of 60 (high) or 75 (premium) fail their step. Default: standard.
                             * @enum {unknown}
                             */
                            quality_level?: "draft" | "standard" | "high" | "premium";
                            /** @description For prompts and conditions, as `processing_options.seo_requirements`. */
                            seo_requirements?: boolean;
                            /** @description For prompts, as `{{processing_options.target_audience}}`. */
                            target_audience?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_rules?: {
                            /** @description Items of a group; groups follow each other. Default: 10. */
                            batch_size?: number;
                            /** @description Whether the items of a group run side by side. Default: true. */
                            parallel_processing?: boolean;
                            /** @description The same as ai_options.quality_threshold, which wins. */
                            quality_threshold?: number;
                        };
                        user_context?: {
                            /** @description For prompts, as `{{user_context.department}}`. */
                            department?: string;
                            /** @description For prompts. It permits nothing: who calls decides what may be done. */
                            permissions?: string[];
                            /** @description For prompts, as `{{user_context.role}}`. */
                            role?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Minute, hour, day of the month, month, day of the week; with the second before them, six. `0 9 * * 1-5` is 9:00 from Monday to Friday. At most every 10 seconds. */
                    cron: string;
                    /** @description Whether it runs. Default: true. */
                    enabled?: boolean;
                    /** @description Epoch seconds; not after. Default: never. */
                    ends_at?: number | null;
                    /** @description The flow to run. */
                    flow_id: string;
                    /** @description One of its versions; null: whichever is current when the time comes. Default: null. */
                    flow_version?: number | null;
                    /** @description What people call it. */
                    label?: string | null;
                    options?: {
                        ai_options?: {
                            cost_limit?: number;
                            /** @description Whether another provider may answer when the one that was asked cannot. */
                            fallback_enabled?: boolean;
                            /** @description Providers to ask first, for steps that name no model. */
                            preferred_providers?: string[];
                            /** @description Lowest quality of texts that models write. */
                            quality_threshold?: number;
                        };
                        /** @description Whom to tell of this execution. */
                        callback_config?: {
                            /**
                             * Format: email
                             * @description Is sent a mail when it is over. Where this server sends none, `warnings` in the answer says so.
                             */
                            notification_email?: string;
                            /** @description Whether it also hears of progress. Default: true. */
                            progress_callbacks?: boolean;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        error_handling?: {
                            /** @enum {unknown} */
                            fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            /** @description Whether whoever is to be notified is told when it fails. */
                            notification_on_failure?: boolean;
                            /** @description Further tries of a step that says nothing itself. */
                            retry_attempts?: number;
                            /** @description Seconds before the first of them. */
                            retry_delay?: number;
                        };
                        /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                        max_execution_time?: number | string;
                        monitoring?: {
                            /** @description Whether decisions are kept with their reasons. Default: true. */
                            capture_agent_decisions?: boolean;
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether callbacks tell of progress as well, not of beginning and end alone. */
                            send_progress_updates?: boolean;
                            /** @description Whether outputs of steps are kept after the end. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        /** @description The same as `callback_config`, with more to say. */
                        notifications?: {
                            /** @description An address that is sent a mail when it is over; `true`: that of `notification_email`, else that of the account. Where this server sends none, `warnings` in the answer says so. */
                            email_on_completion?: boolean | string;
                            /** @description Seconds, or a text such as `30s`: so often the webhook hears how far it is. Default: with each step, and in a batch with each item. */
                            progress_interval?: number | string;
                            /** @description Is sent a message when it is over. Where this server sends none, `warnings` in the answer says so. */
                            slack_channel?: string;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        /**
                         * @description Higher ones leave the queue sooner. Default: normal.
                         * @enum {unknown}
                         */
                        priority?: "low" | "normal" | "high" | "urgent";
                        resource_limits?: {
                            max_concurrent_ai_calls?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                        retry_config?: {
                            /** @description Whether each further pause is twice as long. Default: true. */
                            exponential_backoff?: boolean;
                            max_attempts?: number;
                            /** @description Whether a provider that cannot be asked is asked again. Default: true. */
                            retry_on_provider_error?: boolean;
                        };
                    };
                    /**
                     * @description When a time comes and the execution before is not over: `skip` leaves the time out, `queue` waits, and times that pass meanwhile fall together. Default: skip.
                     * @enum {unknown}
                     */
                    overlap?: "skip" | "queue";
                    /**
                     * @description Of the executions. Default: normal.
                     * @enum {unknown}
                     */
                    priority?: "low" | "normal" | "high" | "urgent";
                    /** @description Epoch seconds; not before. Default: at once. */
                    starts_at?: number | null;
                    /** @description A name of the IANA database, such as Europe/Berlin. Default: UTC. */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description The schedule as it is now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A schedule. */
                        schedule: {
                            /** @description Whose money is spent, and who must be allowed to run workflows. */
                            account_id: string;
                            /** @description What each execution is given. */
                            context: {
                                [key: string]: unknown;
                            };
                            counts: {
                                /** @description Times at which nothing could be started. */
                                failed: number;
                                /** @description Times that were left out, because the execution before was not over. */
                                skipped: number;
                                /** @description Times that started an execution. */
                                started: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The account that made it. */
                            created_by: string | null;
                            cron: string;
                            /** @description False when somebody turned it off, or its account is disabled or deleted. */
                            enabled: boolean;
                            /** @description Epoch seconds. */
                            ends_at: number | null;
                            flow_id: string;
                            /** @description Null: whichever is current when the time comes. */
                            flow_version: number | null;
                            /** @description What people call it. */
                            label: string | null;
                            /** @description Why nothing was started the last time; null when something was. */
                            last_error: {
                                /** @description Such as FLOW_NOT_FOUND. */
                                code: string;
                                message: string;
                                /** @description Epoch seconds. */
                                occurred_at: number;
                            } | null;
                            /** @description The last execution that a time has started; null before the first. */
                            last_execution_id: string | null;
                            /** @description What became of the last time that came; null before the first. */
                            last_run: {
                                /** @description Epoch seconds: the time that came. */
                                due_at: number;
                                /** @enum {unknown} */
                                outcome: "started" | "skipped" | "failed";
                            } | null;
                            /** @description Epoch seconds; null when it does not run again. */
                            next_run_at: number | null;
                            /** @description The next five; in lists the next one alone. */
                            next_runs: {
                                /** @description The same on a clock in the time zone, with its offset. */
                                local_time: string;
                                /** @description Epoch seconds. */
                                run_at: number;
                            }[];
                            /** @description How each execution is to run. */
                            options: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            overlap: "skip" | "queue";
                            /** @enum {unknown} */
                            priority: "low" | "normal" | "high" | "urgent";
                            schedule_id: string;
                            /** @description Epoch seconds. */
                            starts_at: number | null;
                            /**
                             * @description `paused`: not enabled. `ended`: no time of it lies in its window any more.
                             * @enum {unknown}
                             */
                            status: "active" | "paused" | "ended";
                            timezone: string;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        };
                        schedule_id: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the schedule was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whose money is spent, and who must be allowed to run workflows. */
                        account_id: string;
                        /** @description What each execution is given. */
                        context: {
                            [key: string]: unknown;
                        };
                        counts: {
                            /** @description Times at which nothing could be started. */
                            failed: number;
                            /** @description Times that were left out, because the execution before was not over. */
                            skipped: number;
                            /** @description Times that started an execution. */
                            started: number;
                        };
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description The account that made it. */
                        created_by: string | null;
                        cron: string;
                        /** @description False when somebody turned it off, or its account is disabled or deleted. */
                        enabled: boolean;
                        /** @description Epoch seconds. */
                        ends_at: number | null;
                        flow_id: string;
                        /** @description Null: whichever is current when the time comes. */
                        flow_version: number | null;
                        /** @description What people call it. */
                        label: string | null;
                        /** @description Why nothing was started the last time; null when something was. */
                        last_error: {
                            /** @description Such as FLOW_NOT_FOUND. */
                            code: string;
                            message: string;
                            /** @description Epoch seconds. */
                            occurred_at: number;
                        } | null;
                        /** @description The last execution that a time has started; null before the first. */
                        last_execution_id: string | null;
                        /** @description What became of the last time that came; null before the first. */
                        last_run: {
                            /** @description Epoch seconds: the time that came. */
                            due_at: number;
                            /** @enum {unknown} */
                            outcome: "started" | "skipped" | "failed";
                        } | null;
                        /** @description Epoch seconds; null when it does not run again. */
                        next_run_at: number | null;
                        /** @description The next five; in lists the next one alone. */
                        next_runs: {
                            /** @description The same on a clock in the time zone, with its offset. */
                            local_time: string;
                            /** @description Epoch seconds. */
                            run_at: number;
                        }[];
                        /** @description How each execution is to run. */
                        options: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        overlap: "skip" | "queue";
                        /** @enum {unknown} */
                        priority: "low" | "normal" | "high" | "urgent";
                        schedule_id: string;
                        /** @description Epoch seconds. */
                        starts_at: number | null;
                        /**
                         * @description `paused`: not enabled. `ended`: no time of it lies in its window any more.
                         * @enum {unknown}
                         */
                        status: "active" | "paused" | "ended";
                        timezone: string;
                        /** @description Epoch seconds. */
                        updated_at: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the schedule was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule is gone. Executions that it has started go on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        schedule_id: string;
                        /** @enum {unknown} */
                        status: "deleted";
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    changeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the schedule was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What placeholders and conditions of the flow can read; further fields are welcome, as a flow needs them. */
                    context?: {
                        /** @description What the flow works on, as `{{content}}`. */
                        content?: unknown;
                        /** @description Each item goes through the whole flow: a text as its `content`, an object laid over the context. One that fails does not end the others. */
                        content_batch?: unknown[];
                        metadata?: {
                            /** @description For prompts, as `{{metadata.content_type}}`. */
                            content_type?: string;
                            /**
                             * Format: date-time
                             * @description By then it must be over; else it ends with EXECUTION_TIMEOUT.
                             */
                            deadline?: string;
                            /** @description For prompts, as `{{metadata.language}}`. */
                            language?: string;
                            /** @description For prompts, as `{{metadata.source}}`. */
                            source?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_options?: {
                            /**
                             * @description Higher ones leave the queue sooner. Default: normal.
                             * @enum {unknown}
                             */
                            priority?: "low" | "normal" | "high" | "urgent";
                            /**
                             * @description Texts of models below a quality of 60 (high) or 75 (premium) fail their step. Default: standard.
                             * @enum {unknown}
                             */
                            quality_level?: "draft" | "standard" | "high" | "premium";
                            /** @description For prompts and conditions, as `processing_options.seo_requirements`. */
                            seo_requirements?: boolean;
                            /** @description For prompts, as `{{processing_options.target_audience}}`. */
                            target_audience?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        processing_rules?: {
                            /** @description Items of a group; groups follow each other. Default: 10. */
                            batch_size?: number;
                            /** @description Whether the items of a group run side by side. Default: true. */
                            parallel_processing?: boolean;
                            /** @description The same as ai_options.quality_threshold, which wins. */
                            quality_threshold?: number;
                        };
                        user_context?: {
                            /** @description For prompts, as `{{user_context.department}}`. */
                            department?: string;
                            /** @description For prompts. It permits nothing: who calls decides what may be done. */
                            permissions?: string[];
                            /** @description For prompts, as `{{user_context.role}}`. */
                            role?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Minute, hour, day of the month, month, day of the week; with the second before them, six. `0 9 * * 1-5` is 9:00 from Monday to Friday. At most every 10 seconds. */
                    cron?: string;
                    /** @description Whether it runs. Default: true. */
                    enabled?: boolean;
                    /** @description Epoch seconds; not after. Default: never. */
                    ends_at?: number | null;
                    /** @description The flow to run. */
                    flow_id?: string;
                    /** @description One of its versions; null: whichever is current when the time comes. Default: null. */
                    flow_version?: number | null;
                    /** @description What people call it. */
                    label?: string | null;
                    options?: {
                        ai_options?: {
                            cost_limit?: number;
                            /** @description Whether another provider may answer when the one that was asked cannot. */
                            fallback_enabled?: boolean;
                            /** @description Providers to ask first, for steps that name no model. */
                            preferred_providers?: string[];
                            /** @description Lowest quality of texts that models write. */
                            quality_threshold?: number;
                        };
                        /** @description Whom to tell of this execution. */
                        callback_config?: {
                            /**
                             * Format: email
                             * @description Is sent a mail when it is over. Where this server sends none, `warnings` in the answer says so.
                             */
                            notification_email?: string;
                            /** @description Whether it also hears of progress. Default: true. */
                            progress_callbacks?: boolean;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        error_handling?: {
                            /** @enum {unknown} */
                            fallback_strategy?: "abort" | "continue" | "fallback" | "retry_with_different_provider";
                            /** @description Whether whoever is to be notified is told when it fails. */
                            notification_on_failure?: boolean;
                            /** @description Further tries of a step that says nothing itself. */
                            retry_attempts?: number;
                            /** @description Seconds before the first of them. */
                            retry_delay?: number;
                        };
                        /** @description Seconds, or a text such as `30s`, `5m` or `1h`. */
                        max_execution_time?: number | string;
                        monitoring?: {
                            /** @description Whether decisions are kept with their reasons. Default: true. */
                            capture_agent_decisions?: boolean;
                            /** @description Adds debug lines to the log of the execution. */
                            enable_detailed_logging?: boolean;
                            /** @description Whether callbacks tell of progress as well, not of beginning and end alone. */
                            send_progress_updates?: boolean;
                            /** @description Whether outputs of steps are kept after the end. Default: true. */
                            track_intermediate_results?: boolean;
                        };
                        /** @description The same as `callback_config`, with more to say. */
                        notifications?: {
                            /** @description An address that is sent a mail when it is over; `true`: that of `notification_email`, else that of the account. Where this server sends none, `warnings` in the answer says so. */
                            email_on_completion?: boolean | string;
                            /** @description Seconds, or a text such as `30s`: so often the webhook hears how far it is. Default: with each step, and in a batch with each item. */
                            progress_interval?: number | string;
                            /** @description Is sent a message when it is over. Where this server sends none, `warnings` in the answer says so. */
                            slack_channel?: string;
                            /**
                             * Format: uri
                             * @description Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.
                             */
                            webhook_url?: string;
                        };
                        /**
                         * @description Higher ones leave the queue sooner. Default: normal.
                         * @enum {unknown}
                         */
                        priority?: "low" | "normal" | "high" | "urgent";
                        resource_limits?: {
                            max_concurrent_ai_calls?: number;
                            /** @description Megabytes, or a text such as `512MB`. */
                            max_memory?: number | string;
                        };
                        retry_config?: {
                            /** @description Whether each further pause is twice as long. Default: true. */
                            exponential_backoff?: boolean;
                            max_attempts?: number;
                            /** @description Whether a provider that cannot be asked is asked again. Default: true. */
                            retry_on_provider_error?: boolean;
                        };
                    };
                    /**
                     * @description When a time comes and the execution before is not over: `skip` leaves the time out, `queue` waits, and times that pass meanwhile fall together. Default: skip.
                     * @enum {unknown}
                     */
                    overlap?: "skip" | "queue";
                    /**
                     * @description Of the executions. Default: normal.
                     * @enum {unknown}
                     */
                    priority?: "low" | "normal" | "high" | "urgent";
                    /** @description Epoch seconds; not before. Default: at once. */
                    starts_at?: number | null;
                    /** @description A name of the IANA database, such as Europe/Berlin. Default: UTC. */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description The schedule as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A schedule. */
                        schedule: {
                            /** @description Whose money is spent, and who must be allowed to run workflows. */
                            account_id: string;
                            /** @description What each execution is given. */
                            context: {
                                [key: string]: unknown;
                            };
                            counts: {
                                /** @description Times at which nothing could be started. */
                                failed: number;
                                /** @description Times that were left out, because the execution before was not over. */
                                skipped: number;
                                /** @description Times that started an execution. */
                                started: number;
                            };
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The account that made it. */
                            created_by: string | null;
                            cron: string;
                            /** @description False when somebody turned it off, or its account is disabled or deleted. */
                            enabled: boolean;
                            /** @description Epoch seconds. */
                            ends_at: number | null;
                            flow_id: string;
                            /** @description Null: whichever is current when the time comes. */
                            flow_version: number | null;
                            /** @description What people call it. */
                            label: string | null;
                            /** @description Why nothing was started the last time; null when something was. */
                            last_error: {
                                /** @description Such as FLOW_NOT_FOUND. */
                                code: string;
                                message: string;
                                /** @description Epoch seconds. */
                                occurred_at: number;
                            } | null;
                            /** @description The last execution that a time has started; null before the first. */
                            last_execution_id: string | null;
                            /** @description What became of the last time that came; null before the first. */
                            last_run: {
                                /** @description Epoch seconds: the time that came. */
                                due_at: number;
                                /** @enum {unknown} */
                                outcome: "started" | "skipped" | "failed";
                            } | null;
                            /** @description Epoch seconds; null when it does not run again. */
                            next_run_at: number | null;
                            /** @description The next five; in lists the next one alone. */
                            next_runs: {
                                /** @description The same on a clock in the time zone, with its offset. */
                                local_time: string;
                                /** @description Epoch seconds. */
                                run_at: number;
                            }[];
                            /** @description How each execution is to run. */
                            options: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            overlap: "skip" | "queue";
                            /** @enum {unknown} */
                            priority: "low" | "normal" | "high" | "urgent";
                            schedule_id: string;
                            /** @description Epoch seconds. */
                            starts_at: number | null;
                            /**
                             * @description `paused`: not enabled. `ended`: no time of it lies in its window any more.
                             * @enum {unknown}
                             */
                            status: "active" | "paused" | "ended";
                            timezone: string;
                            /** @description Epoch seconds. */
                            updated_at: number;
                        };
                        schedule_id: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description As it was answered when the schedule was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution waits in the queue. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        execution_id: string;
                        schedule_id: string;
                        /** @description Of the execution, as it is now. */
                        status: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    previewSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many. Default: 5. */
                    count?: number;
                    /** @description Minute, hour, day of the month, month, day of the week; with the second before them, six. `0 9 * * 1-5` is 9:00 from Monday to Friday. At most every 10 seconds. */
                    cron: string;
                    /** @description Epoch seconds; not after. Default: never. */
                    ends_at?: number | null;
                    /** @description Epoch seconds; not before. Default: at once. */
                    starts_at?: number | null;
                    /** @description A name of the IANA database, such as Europe/Berlin. Default: UTC. */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description When it would run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cron: string;
                        /** @description The next times; fewer when there are no more. */
                        next_runs: {
                            /** @description The same on a clock in the time zone, with its offset. */
                            local_time: string;
                            /** @description Epoch seconds. */
                            run_at: number;
                        }[];
                        timezone: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                status?: "pending_verification" | "active" | "disabled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of your webhooks, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Webhooks on all pages together. */
                        total: number;
                        webhooks: {
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description Epoch seconds. */
                            disabled_at: number | null;
                            /** @description `owner`: said so. `gone`: the receiver answered 410. `failing`: nothing has arrived for days. Null unless disabled. */
                            disabled_reason: string | null;
                            events_subscribed: string[];
                            /** @description Epoch seconds; null when the last delivery arrived. */
                            failing_since: number | null;
                            /** @description What an event must be like; empty: like anything. */
                            filters: {
                                [key: string]: unknown;
                            };
                            /** @description How events are written. */
                            format: {
                                [key: string]: unknown;
                            };
                            /** @description Epoch seconds; null when only one secret signs. */
                            previous_secret_expires_at: number | null;
                            /** @description What was chosen; the rest is the default. */
                            retry_policy: {
                                [key: string]: unknown;
                            };
                            /**
                             * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                             * @enum {unknown}
                             */
                            status: "pending_verification" | "active" | "disabled";
                            /** @description Epoch seconds. */
                            updated_at: number;
                            /** @description Epoch seconds; null unless it waits to be verified. */
                            verification_expires_at: number | null;
                            /** @description Epoch seconds; null before. */
                            verified_at: number | null;
                            webhook_id: string;
                            webhook_url: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The webhook. */
                    webhook_config: {
                        /** @description False: nothing is sent. Enabling one that was never verified asks for that first. */
                        active?: boolean;
                        /** @description Which events to send. */
                        events: ("flow.execution.started" | "flow.execution.completed" | "flow.execution.failed" | "flow.step.completed" | "agent.decision.made" | "cost.threshold.exceeded" | "performance.degradation.detected")[];
                        /** @description Which of these events to send. All of them must let an event pass. */
                        filters?: {
                            /** @description Only events of these flows. Empty or absent: of all. */
                            flow_ids?: string[];
                            /** @description Only events of executions that cost this many dollars so far, or more. */
                            min_cost?: number;
                            /** @description Only events of executions with one of these. Empty or absent: with any. */
                            priority?: ("low" | "normal" | "high" | "urgent")[];
                        };
                        format?: {
                            /**
                             * @description Signatures are over the text before it is compressed. Default: none.
                             * @enum {unknown}
                             */
                            compression?: "none" | "gzip";
                            /**
                             * @description As a form, the envelope is its field `payload`. Default: application/json.
                             * @enum {unknown}
                             */
                            content_type?: "application/json" | "application/x-www-form-urlencoded";
                            /** @description Adds `full_context` to the data of events that have one. */
                            include_full_context?: boolean;
                            /** @description Adds `intermediate_results` to the data of events that have some. */
                            include_intermediate_results?: boolean;
                        };
                        retry_policy?: {
                            /** @description False: `retry_delay` stays the same. Default: true. */
                            exponential_backoff?: boolean;
                            /** @description Tries altogether. Default: 10. */
                            max_attempts?: number;
                            /** @description Seconds before the second try, twice as long each further time. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
                            retry_delay?: number;
                            /** @description Seconds a receiver may take. Default: 10. */
                            timeout?: number;
                        };
                        /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                        secret?: string;
                        /** @description Where to send events: http or https, and no private address. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /** @description What deliveries are signed with. Shown only here. */
                        secret: string;
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook. Its secret is never shown again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description Epoch seconds. */
                        disabled_at: number | null;
                        /** @description `owner`: said so. `gone`: the receiver answered 410. `failing`: nothing has arrived for days. Null unless disabled. */
                        disabled_reason: string | null;
                        events_subscribed: string[];
                        /** @description Epoch seconds; null when the last delivery arrived. */
                        failing_since: number | null;
                        /** @description What an event must be like; empty: like anything. */
                        filters: {
                            [key: string]: unknown;
                        };
                        /** @description How events are written. */
                        format: {
                            [key: string]: unknown;
                        };
                        /** @description Epoch seconds; null when only one secret signs. */
                        previous_secret_expires_at: number | null;
                        /** @description What was chosen; the rest is the default. */
                        retry_policy: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @description Epoch seconds. */
                        updated_at: number;
                        /** @description Epoch seconds; null unless it waits to be verified. */
                        verification_expires_at: number | null;
                        /** @description Epoch seconds; null before. */
                        verified_at: number | null;
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The webhook. */
                    webhook_config: {
                        /** @description False: nothing is sent. Enabling one that was never verified asks for that first. */
                        active?: boolean;
                        /** @description Which events to send. */
                        events: ("flow.execution.started" | "flow.execution.completed" | "flow.execution.failed" | "flow.step.completed" | "agent.decision.made" | "cost.threshold.exceeded" | "performance.degradation.detected")[];
                        /** @description Which of these events to send. All of them must let an event pass. */
                        filters?: {
                            /** @description Only events of these flows. Empty or absent: of all. */
                            flow_ids?: string[];
                            /** @description Only events of executions that cost this many dollars so far, or more. */
                            min_cost?: number;
                            /** @description Only events of executions with one of these. Empty or absent: with any. */
                            priority?: ("low" | "normal" | "high" | "urgent")[];
                        };
                        format?: {
                            /**
                             * @description Signatures are over the text before it is compressed. Default: none.
                             * @enum {unknown}
                             */
                            compression?: "none" | "gzip";
                            /**
                             * @description As a form, the envelope is its field `payload`. Default: application/json.
                             * @enum {unknown}
                             */
                            content_type?: "application/json" | "application/x-www-form-urlencoded";
                            /** @description Adds `full_context` to the data of events that have one. */
                            include_full_context?: boolean;
                            /** @description Adds `intermediate_results` to the data of events that have some. */
                            include_intermediate_results?: boolean;
                        };
                        retry_policy?: {
                            /** @description False: `retry_delay` stays the same. Default: true. */
                            exponential_backoff?: boolean;
                            /** @description Tries altogether. Default: 10. */
                            max_attempts?: number;
                            /** @description Seconds before the second try, twice as long each further time. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
                            retry_delay?: number;
                            /** @description Seconds a receiver may take. Default: 10. */
                            timeout?: number;
                        };
                        /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                        secret?: string;
                        /** @description Where to send events: http or https, and no private address. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone, and its deliveries with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "deleted";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `as_of` of an earlier page. */
                as_of?: number;
                event?: string;
                /** @description Entries on a page. */
                limit?: number;
                order?: "oldest" | "newest";
                /** @description Which page, from 1. */
                page?: number;
                state?: "pending" | "delivered" | "dead";
                /** @description Such as the id of an execution. */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For the pages after this one, so that they stand still; null when nothing matches. */
                        as_of: number | null;
                        deliveries: {
                            /** @description Tries so far. */
                            attempts: number;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The same in every try: `webhook-id` of the request. */
                            delivery_id: string;
                            event: string;
                            /** @description Epoch seconds; null when it is not over. */
                            finished_at: number | null;
                            /** @description The last try; null before the first. */
                            last_attempt: {
                                /** @description Epoch seconds. */
                                attempted_at: number;
                                /** @description Seconds until the answer, or until there was none. */
                                duration: number | null;
                                /** @description Why it failed; null when it did not. */
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** @description What was sent; null when it did not come that far. */
                                request: {
                                    /** @description The envelope, with its signature. */
                                    body: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Of the body, as sent. */
                                    bytes: number;
                                    /** @description Those that say something about the message. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    url: string;
                                } | null;
                                /** @description What came back; null when nothing did. */
                                response: {
                                    /** @description Its beginning, 4 KiB at most. */
                                    body: string;
                                    /** @description Some of them. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    status: number;
                                } | null;
                            } | null;
                            /** @description Epoch seconds; null when it is over. */
                            next_attempt_at: number | null;
                            /** @description Why it was given up. */
                            reason: string | null;
                            /**
                             * @description `dead`: it was given up.
                             * @enum {unknown}
                             */
                            state: "pending" | "delivered" | "dead";
                            /** @description What it is about, such as an execution. About one subject is told in order. */
                            subject: string;
                            /** @description Epoch seconds: when it happened. */
                            timestamp: number;
                        }[];
                        /** @description Deliveries that match. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    readWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `delivery_id` of the list. */
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Tries so far. */
                        attempts: number;
                        /** @description Epoch seconds. */
                        created_at: number;
                        /** @description The same in every try: `webhook-id` of the request. */
                        delivery_id: string;
                        event: string;
                        /** @description Epoch seconds; null when it is not over. */
                        finished_at: number | null;
                        /** @description The last try; null before the first. */
                        last_attempt: {
                            /** @description Epoch seconds. */
                            attempted_at: number;
                            /** @description Seconds until the answer, or until there was none. */
                            duration: number | null;
                            /** @description Why it failed; null when it did not. */
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** @description What was sent; null when it did not come that far. */
                            request: {
                                /** @description The envelope, with its signature. */
                                body: {
                                    [key: string]: unknown;
                                };
                                /** @description Of the body, as sent. */
                                bytes: number;
                                /** @description Those that say something about the message. */
                                headers: {
                                    [key: string]: string;
                                };
                                url: string;
                            } | null;
                            /** @description What came back; null when nothing did. */
                            response: {
                                /** @description Its beginning, 4 KiB at most. */
                                body: string;
                                /** @description Some of them. */
                                headers: {
                                    [key: string]: string;
                                };
                                status: number;
                            } | null;
                        } | null;
                        /** @description Epoch seconds; null when it is over. */
                        next_attempt_at: number | null;
                        /** @description Why it was given up. */
                        reason: string | null;
                        /**
                         * @description `dead`: it was given up.
                         * @enum {unknown}
                         */
                        state: "pending" | "delivered" | "dead";
                        /** @description What it is about, such as an execution. About one subject is told in order. */
                        subject: string;
                        /** @description Epoch seconds: when it happened. */
                        timestamp: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `delivery_id` of the list. */
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A delivery. */
                        delivery: {
                            /** @description Tries so far. */
                            attempts: number;
                            /** @description Epoch seconds. */
                            created_at: number;
                            /** @description The same in every try: `webhook-id` of the request. */
                            delivery_id: string;
                            event: string;
                            /** @description Epoch seconds; null when it is not over. */
                            finished_at: number | null;
                            /** @description The last try; null before the first. */
                            last_attempt: {
                                /** @description Epoch seconds. */
                                attempted_at: number;
                                /** @description Seconds until the answer, or until there was none. */
                                duration: number | null;
                                /** @description Why it failed; null when it did not. */
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** @description What was sent; null when it did not come that far. */
                                request: {
                                    /** @description The envelope, with its signature. */
                                    body: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Of the body, as sent. */
                                    bytes: number;
                                    /** @description Those that say something about the message. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    url: string;
                                } | null;
                                /** @description What came back; null when nothing did. */
                                response: {
                                    /** @description Its beginning, 4 KiB at most. */
                                    body: string;
                                    /** @description Some of them. */
                                    headers: {
                                        [key: string]: string;
                                    };
                                    status: number;
                                } | null;
                            } | null;
                            /** @description Epoch seconds; null when it is over. */
                            next_attempt_at: number | null;
                            /** @description Why it was given up. */
                            reason: string | null;
                            /**
                             * @description `dead`: it was given up.
                             * @enum {unknown}
                             */
                            state: "pending" | "delivered" | "dead";
                            /** @description What it is about, such as an execution. About one subject is told in order. */
                            subject: string;
                            /** @description Epoch seconds: when it happened. */
                            timestamp: number;
                        };
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Deliveries of events that happened in this time. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Epoch seconds. */
                    from?: number;
                    /**
                     * @description Which of them: those given up, those that arrived, or both. Default: dead.
                     * @enum {unknown}
                     */
                    state?: "dead" | "delivered" | "all";
                    /** @description Epoch seconds. */
                    to?: number;
                } | null;
            };
        };
        responses: {
            /** @description They are on their way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether there may be more: ask again. */
                        more: boolean;
                        /** @description Deliveries that are on their way again. */
                        redelivered: number;
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once. */
                    secret?: string;
                } | null;
            };
        };
        responses: {
            /** @description The new secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds: until then both secrets sign. */
                        previous_secret_expires_at: number | null;
                        /** @description What deliveries are signed with. Shown only here. */
                        secret: string;
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    verifyWebhookAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was answered when the webhook was made. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds. */
                        created_at: number;
                        events_subscribed: string[];
                        /**
                         * @description `pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.
                         * @enum {unknown}
                         */
                        status: "pending_verification" | "active" | "disabled";
                        /** @enum {boolean} */
                        success: true;
                        /** @description The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead. */
                        verification: {
                            /** @description Epoch seconds. Later, ask for a new token. */
                            expires_at: number | null;
                            verification_required: boolean;
                            /** @description Proves the will of the owner. Shown only here; null when none is needed. */
                            verification_token: string | null;
                            /** @description Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed. */
                            verification_url: string | null;
                        };
                        webhook_id: string;
                        webhook_url: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook receives events from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "active";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    verifyWebhookByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook receives events from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "active";
                        /** @enum {boolean} */
                        success: true;
                        webhook_id: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowsError"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Whose keys. */
                owner?: "me" | "all";
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string | null;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_used_at: string | null;
                            name: string;
                            /** @description How the key begins, to tell it by. */
                            prefix: string;
                            /** @description What the key is limited to; null: whatever its owner may do. */
                            scopes: string[] | null;
                            /** Format: uuid */
                            user_id: string;
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When it ends, at most 10 years ahead; without it, when it is revoked.
                     */
                    expires_at?: string | null;
                    /** @description What it is for. */
                    name: string;
                    /** @description Limits the key to these; without them it may do whatever its owner may. */
                    scopes?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The key was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string | null;
                        /** Format: uuid */
                        id: string;
                        /** @description The key. It is shown this once. */
                        key: string;
                        /** Format: date-time */
                        last_used_at: string | null;
                        name: string;
                        /** @description How the key begins, to tell it by. */
                        prefix: string;
                        /** @description What the key is limited to; null: whatever its owner may do. */
                        scopes: string[] | null;
                        /** Format: uuid */
                        user_id: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                /** @description Only what concerns this account. */
                account?: string;
                /** @description Only what came before this id. */
                before?: number;
                /** @description Entries at most. */
                limit?: number;
                /** @description Only events of this type. */
                type?: "identity.account_changed" | "identity.account_created" | "identity.account_deleted" | "identity.administrator_created" | "identity.api_key_created" | "identity.api_key_revoked" | "identity.authorization_code_replayed" | "identity.consent_given" | "identity.consent_refused" | "identity.consent_withdrawn" | "identity.oauth_client_changed" | "identity.oauth_client_created" | "identity.oauth_client_deleted" | "identity.password_changed" | "identity.refresh_token_reused" | "identity.role_changed" | "identity.role_created" | "identity.role_deleted" | "identity.session_ended" | "identity.sign_in_failed" | "identity.signed_in" | "identity.signed_out" | "identity.signing_key_added" | "cluster.node_added" | "cluster.node_drained" | "cluster.node_removed" | "cluster.node_resumed" | "cluster.node_weighed" | "cluster.strategy_changed" | "models.provider_key_stored" | "models.provider_key_removed" | "models.price_set" | "models.price_removed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest events, or the newest before an id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Whose account it concerns. */
                            account: string | null;
                            /** @description The account that did it; null when it was nobody’s: the terminal, the clock, a failed sign-in. */
                            by: string | null;
                            by_username: string | null;
                            /** Format: date-time */
                            created_at: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** @description Grows with time. */
                            id: number;
                            ip: string | null;
                            /** @description What it happened to: an account, a key, a client, a role. */
                            subject: string | null;
                            /** @description What happened. */
                            type: string;
                            user_agent: string | null;
                            /** @description The name of that account now; null when it is gone. */
                            username: string | null;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description A token and what renews it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds until `token` expires. */
                        expiresIn: number;
                        /** @description Gets the next pair, once, at the refresh endpoint. */
                        refreshToken: string;
                        /** @description The access token: a JWT for `Authorization: Bearer`. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken?: string;
                } | null;
            };
        };
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken: string;
                };
            };
        };
        responses: {
            /** @description A token and what renews it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds until `token` expires. */
                        expiresIn: number;
                        /** @description Gets the next pair, once, at the refresh endpoint. */
                        refreshToken: string;
                        /** @description The access token: a JWT for `Authorization: Bearer`. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listAuthorizations: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of applications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            client_id: string;
                            client_name: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_used_at: string | null;
                            scopes: string[];
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    withdrawAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdrawn. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `json`, or a JSON schema the answer is to satisfy. */
                    format?: ("" | "json") | {
                        [key: string]: unknown;
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    keep_alive?: string | number;
                    messages: {
                        content: string;
                        /** @description Understood by nodes of the cluster alone. */
                        images?: string[];
                        /** @enum {unknown} */
                        role: "system" | "user" | "assistant";
                        /** @description Understood by nodes of the cluster alone. */
                        thinking?: string;
                    }[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Others are for the runtime: with one of them only a node of the cluster can answer. */
                    options?: {
                        frequency_penalty?: number;
                        /** @description Tokens at most. */
                        num_predict?: number;
                        presence_penalty?: number;
                        seed?: number;
                        stop?: string[];
                        temperature?: number;
                        top_p?: number;
                    } & {
                        [key: string]: number | boolean | string | string[];
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    shift?: boolean;
                    /**
                     * @description A line for each piece, as it comes.
                     * @default true
                     */
                    stream?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    think?: boolean | ("low" | "medium" | "high" | "max");
                    /** @description Understood by nodes of the cluster alone. */
                    truncate?: boolean;
                };
            };
        };
        responses: {
            /** @description The answer, or a piece of it on each line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        message: {
                            content: string;
                            role: string;
                            /** @description What a reasoning model thought aloud. */
                            thinking?: string;
                        };
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/x-ndjson": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        message: {
                            content: string;
                            role: string;
                            /** @description What a reasoning model thought aloud. */
                            thinking?: string;
                        };
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    embed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    dimensions?: number;
                    input: string | string[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                };
            };
        };
        responses: {
            /** @description One vector for each input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        embeddings: number[][];
                        model: string;
                        prompt_eval_count?: number;
                        /** @description Nanoseconds. */
                        total_duration: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    generate: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Understood by nodes of the cluster alone. */
                    context?: number[];
                    /** @description `json`, or a JSON schema the answer is to satisfy. */
                    format?: ("" | "json") | {
                        [key: string]: unknown;
                    };
                    /** @description Understood by nodes of the cluster alone. */
                    images?: string[];
                    /** @description Understood by nodes of the cluster alone. */
                    keep_alive?: string | number;
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Others are for the runtime: with one of them only a node of the cluster can answer. */
                    options?: {
                        frequency_penalty?: number;
                        /** @description Tokens at most. */
                        num_predict?: number;
                        presence_penalty?: number;
                        seed?: number;
                        stop?: string[];
                        temperature?: number;
                        top_p?: number;
                    } & {
                        [key: string]: number | boolean | string | string[];
                    };
                    /** @default  */
                    prompt?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    raw?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    shift?: boolean;
                    /**
                     * @description A line for each piece, as it comes.
                     * @default true
                     */
                    stream?: boolean;
                    /** @description Understood by nodes of the cluster alone. */
                    suffix?: string;
                    system?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    template?: string;
                    /** @description Understood by nodes of the cluster alone. */
                    think?: boolean | ("low" | "medium" | "high" | "max");
                    /** @description Understood by nodes of the cluster alone. */
                    truncate?: boolean;
                };
            };
        };
        responses: {
            /** @description The answer, or a piece of it on each line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        response: string;
                        /** @description What a reasoning model thought aloud. */
                        thinking?: string;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/x-ndjson": {
                        /** Format: date-time */
                        created_at: string;
                        done: boolean;
                        /** @description `stop`, `length`, or another word of its provider. */
                        done_reason?: string;
                        /** @description Tokens written, when the provider says. */
                        eval_count?: number;
                        /** @description Nanoseconds from the first token to the last. */
                        eval_duration?: number;
                        /** @description Nanoseconds to load the model, when a node says. */
                        load_duration?: number;
                        /** @description The one that answered. */
                        model: string;
                        /** @description Tokens read, when the provider says. */
                        prompt_eval_count?: number;
                        /** @description Nanoseconds to the first token. */
                        prompt_eval_duration?: number;
                        response: string;
                        /** @description What a reasoning model thought aloud. */
                        thinking?: string;
                        /** @description Nanoseconds for the whole of it. */
                        total_duration?: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description What it can do, such as `completion`, `tools` or `vision`; empty when nobody says. */
                            capabilities: string[];
                            /** @description Most tokens of a conversation, its answer included; null when nobody says. */
                            context_length: number | null;
                            /** @description Seconds since 1970: since when its provider, or the first of its nodes, has it as it is. Null when none says. */
                            created: number | null;
                            /** @description The name to ask for it by. */
                            id: string;
                            /** @description Whether one of `nodes` has it in memory. */
                            loaded: boolean;
                            /** @description Most tokens of an answer; null when nobody says. */
                            max_output_tokens: number | null;
                            /** @description Ids of the healthy nodes that have it; empty while none can be asked, and for other providers. */
                            nodes: string[];
                            /** @enum {string} */
                            object: "model";
                            /** @description Who made it, as its provider says; of a model of the cluster the namespace in its name, `library` when it has none. */
                            owned_by: string;
                            /** @description What it costs. */
                            pricing: {
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                cached_input: number | null;
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                input: number | null;
                                /** @description Dollars for a million tokens; null when nobody knows. */
                                output: number | null;
                                /**
                                 * @description `override`: set here. `table`: as published. `free`: known to cost nothing. `unpriced`: nobody knows.
                                 * @enum {unknown}
                                 */
                                source: "override" | "table" | "free" | "unpriced";
                                /** @description What holds instead for whole calls with a longer input, the shortest first. */
                                tiers: {
                                    /** @description Holds for calls with more input tokens than this. */
                                    above_input_tokens: number;
                                    cached_input: number;
                                    input: number;
                                    output: number;
                                }[];
                                /** @description The version of the price table, or when the price was set. */
                                version: string | null;
                            };
                            /**
                             * @description Who answers with it; `ollama` are the nodes of the cluster.
                             * @enum {unknown}
                             */
                            provider: "ollama" | "openai" | "anthropic" | "builtin";
                            /** @description Bytes on disk; null when no node says. */
                            size: number | null;
                            /**
                             * @description Whether its provider can be asked for it now.
                             * @enum {unknown}
                             */
                            state: "available" | "unavailable";
                        }[];
                        /** @enum {string} */
                        object: "list";
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    listOAuthClients: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Whose clients. */
                owner?: "me" | "all";
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            client_id: string;
                            /** Format: date-time */
                            created_at: string;
                            grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                            /** Format: date-time */
                            last_used_at: string | null;
                            /** @description What people are asked to let in. */
                            name: string;
                            /** @description It keeps no secret, and has to use PKCE. */
                            public: boolean;
                            /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                            redirect_uris: string[];
                            /** @description The most it can ask for. */
                            scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                            /** Format: uuid */
                            user_id: string;
                            /** @description Whose it is; by itself it acts for this account. */
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grant_types?: ("authorization_code" | "client_credentials" | "refresh_token")[];
                    /** @description What people are asked to let in. */
                    name: string;
                    public?: boolean;
                    /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                    redirect_uris?: string[];
                    /** @description The most it can ask for. */
                    scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                };
            };
        };
        responses: {
            /** @description The client was registered. A public one has no secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description The secret. It is shown this once. */
                        client_secret?: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A client, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    updateOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grant_types?: ("authorization_code" | "client_credentials" | "refresh_token")[];
                    /** @description What people are asked to let in. */
                    name?: string;
                    /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                    redirect_uris?: string[];
                    /** @description The most it can ask for. */
                    scopes?: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                };
            };
        };
        responses: {
            /** @description A client, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** Format: date-time */
                        created_at: string;
                        grant_types: ("authorization_code" | "client_credentials" | "refresh_token")[];
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** @description What people are asked to let in. */
                        name: string;
                        /** @description It keeps no secret, and has to use PKCE. */
                        public: boolean;
                        /** @description Where codes are sent: https, or http on this machine. They are compared letter by letter. */
                        redirect_uris: string[];
                        /** @description The most it can ask for. */
                        scopes: ("models.read" | "models.generate" | "workflows.run" | "workflows.manage" | "tours.manage")[];
                        /** Format: uuid */
                        user_id: string;
                        /** @description Whose it is; by itself it acts for this account. */
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    replaceOAuthClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description The secret. It is shown this once. */
                        client_secret: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All permissions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            about: string;
                            name: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All prices that were set here. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The same for input the provider had remembered. */
                            cached_input: number;
                            /** @description Dollars for a million tokens of input. */
                            input: number;
                            model: string;
                            /** @description The same for output. */
                            output: number;
                            provider: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description The account that set it. */
                            updated_by: string | null;
                        }[];
                        /** @description The version of the price table. */
                        table_version: string;
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. It need not be there yet. */
                model: string;
                /** @description Who provides the model; `builtin` costs nothing. */
                provider: "ollama" | "openai" | "anthropic";
            };
            cookie?: never;
        };
        /** @description Without `cached_input`, input that was remembered costs as much as any other. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    cached_input?: number | string;
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    input: number | string;
                    /** @description Dollars for a million tokens, as a number or as text, with six decimals at most. */
                    output: number | string;
                };
            };
        };
        responses: {
            /** @description A price that was set here and wins over the table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The same for input the provider had remembered. */
                        cached_input: number;
                        /** @description Dollars for a million tokens of input. */
                        input: number;
                        model: string;
                        /** @description The same for output. */
                        output: number;
                        provider: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description The account that set it. */
                        updated_by: string | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    removePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. It need not be there yet. */
                model: string;
                /** @description Who provides the model; `builtin` costs nothing. */
                provider: "ollama" | "openai" | "anthropic";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Where it is asked, without credentials. */
                            base_url: string | null;
                            /**
                             * Format: date-time
                             * @description When it was last asked.
                             */
                            checked_at: string;
                            /** @description Whether it has what it needs to be asked. */
                            configured: boolean;
                            /** @description The key that is shown to it. The key itself is never told. */
                            key: {
                                /** @description The last four characters; null for a key too short to be told by them. */
                                hint: string | null;
                                /** @description Where the key comes from; a key of the environment wins over a stored one. */
                                source: ("environment" | "stored") | (never | null);
                                /** Format: date-time */
                                updated_at: string | null;
                                /** @description The account that stored it. */
                                updated_by: string | null;
                            };
                            /** @description How many models it has. */
                            models: number;
                            /** @enum {unknown} */
                            name: "ollama" | "openai" | "anthropic" | "builtin";
                            /** @description What is wrong, for people; null when nothing is. */
                            problem: string | null;
                            /** @description How long it took to answer. */
                            response_ms: number | null;
                            /** @enum {unknown} */
                            state: "online" | "degraded" | "offline" | "unconfigured";
                        }[];
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    storeProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As the provider gave it. No answer ever has it. */
                    api_key: string;
                };
            };
        };
        responses: {
            /** @description A provider of models, and how it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where it is asked, without credentials. */
                        base_url: string | null;
                        /**
                         * Format: date-time
                         * @description When it was last asked.
                         */
                        checked_at: string;
                        /** @description Whether it has what it needs to be asked. */
                        configured: boolean;
                        /** @description The key that is shown to it. The key itself is never told. */
                        key: {
                            /** @description The last four characters; null for a key too short to be told by them. */
                            hint: string | null;
                            /** @description Where the key comes from; a key of the environment wins over a stored one. */
                            source: ("environment" | "stored") | (never | null);
                            /** Format: date-time */
                            updated_at: string | null;
                            /** @description The account that stored it. */
                            updated_by: string | null;
                        };
                        /** @description How many models it has. */
                        models: number;
                        /** @enum {unknown} */
                        name: "ollama" | "openai" | "anthropic" | "builtin";
                        /** @description What is wrong, for people; null when nothing is. */
                        problem: string | null;
                        /** @description How long it took to answer. */
                        response_ms: number | null;
                        /** @enum {unknown} */
                        state: "online" | "degraded" | "offline" | "unconfigured";
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    removeProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    probeProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ollama" | "openai" | "anthropic" | "builtin";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A provider of models, and how it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where it is asked, without credentials. */
                        base_url: string | null;
                        /**
                         * Format: date-time
                         * @description When it was last asked.
                         */
                        checked_at: string;
                        /** @description Whether it has what it needs to be asked. */
                        configured: boolean;
                        /** @description The key that is shown to it. The key itself is never told. */
                        key: {
                            /** @description The last four characters; null for a key too short to be told by them. */
                            hint: string | null;
                            /** @description Where the key comes from; a key of the environment wins over a stored one. */
                            source: ("environment" | "stored") | (never | null);
                            /** Format: date-time */
                            updated_at: string | null;
                            /** @description The account that stored it. */
                            updated_by: string | null;
                        };
                        /** @description How many models it has. */
                        models: number;
                        /** @enum {unknown} */
                        name: "ollama" | "openai" | "anthropic" | "builtin";
                        /** @description What is wrong, for people; null when nothing is. */
                        problem: string | null;
                        /** @description How long it took to answer. */
                        response_ms: number | null;
                        /** @enum {unknown} */
                        state: "online" | "degraded" | "offline" | "unconfigured";
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Whether it allows everything, with what later releases add. */
                            all_permissions: boolean;
                            /** @description Whether it is always there. */
                            built_in: boolean;
                            label: string;
                            name: string;
                            /** @description What it allows. */
                            permissions: string[];
                            /** @description How many accounts have it. */
                            users: number;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see. */
                    label: string;
                    /** @description Lower-case letters, digits and `_`; it cannot be changed later. */
                    name: string;
                    /** @description Names that `GET /api/v1/permissions` lists. */
                    permissions: string[];
                };
            };
        };
        responses: {
            /** @description A role. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether it allows everything, with what later releases add. */
                        all_permissions: boolean;
                        /** @description Whether it is always there. */
                        built_in: boolean;
                        label: string;
                        name: string;
                        /** @description What it allows. */
                        permissions: string[];
                        /** @description How many accounts have it. */
                        users: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see. */
                    label?: string;
                    /** @description Names that `GET /api/v1/permissions` lists. */
                    permissions?: string[];
                };
            };
        };
        responses: {
            /** @description A role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether it allows everything, with what later releases add. */
                        all_permissions: boolean;
                        /** @description Whether it is always there. */
                        built_in: boolean;
                        label: string;
                        name: string;
                        /** @description What it allows. */
                        permissions: string[];
                        /** @description How many accounts have it. */
                        users: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All scopes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            about: string;
                            name: string;
                            /** @description Permissions of the account it lets through. */
                            permissions: string[];
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** @description Whether this request came with it. */
                            current: boolean;
                            /** Format: date-time */
                            expires_at: string;
                            /** Format: uuid */
                            id: string;
                            /** @description Where it signed in from. */
                            ip: string;
                            /**
                             * @description `browser`: the cookie `SESS`; `token`: a program that signed in for tokens.
                             * @enum {unknown}
                             */
                            kind: "browser" | "token";
                            /**
                             * Format: date-time
                             * @description Of a token: when it was last renewed.
                             */
                            last_seen_at: string;
                            user_agent: string | null;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out everywhere else. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readUsage: {
        parameters: {
            query?: {
                /** @description Whose: your own without it; another account, or `all`, with the permission `administer llm`. */
                account?: string;
                from?: string;
                /** @description One or two of them, separated by a comma. */
                group_by?: string;
                model?: string;
                provider?: string;
                /** @description `gateway`, or the part of the platform that asked. */
                source?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        from: string;
                        /** @description By day, the earliest first; without days the dearest first, then the busiest. */
                        rows: {
                            account?: string;
                            /** @description Answered from memory. */
                            cache_hits: number;
                            cached_input_tokens: number;
                            calls: number;
                            cancelled: number;
                            day?: string;
                            failures: number;
                            /** @description Calls whose first token was timed. */
                            first_token_count: number;
                            first_token_ms_sum: number;
                            input_tokens: number;
                            /** @description Of the calls that were answered, but not from memory. */
                            latency_ms_sum: number;
                            micro_dollars: number;
                            model?: string;
                            output_tokens: number;
                            provider?: string;
                            source?: string;
                            /** @description Calls whose cost nobody knows; they are not in `micro_dollars`. */
                            unpriced_calls: number;
                        }[];
                        /** Format: date */
                        to: string;
                        /** @description All calls of the days together. */
                        totals: {
                            /** @description Answered from memory. */
                            cache_hits: number;
                            cached_input_tokens: number;
                            calls: number;
                            cancelled: number;
                            failures: number;
                            /** @description Calls whose first token was timed. */
                            first_token_count: number;
                            first_token_ms_sum: number;
                            input_tokens: number;
                            /** @description Of the calls that were answered, but not from memory. */
                            latency_ms_sum: number;
                            micro_dollars: number;
                            output_tokens: number;
                            /** @description Calls whose cost nobody knows; they are not in `micro_dollars`. */
                            unpriced_calls: number;
                        };
                        /** @description There are more rows than these. */
                        truncated: boolean;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    readBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Today's budget of the account that asks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date
                         * @description In UTC.
                         */
                        day: string;
                        left_micro_dollars: number;
                        limit_micro_dollars: number;
                        /** @description Set aside for calls that run. */
                        reserved_micro_dollars: number;
                        /** Format: date-time */
                        resets_at: string;
                        spent_micro_dollars: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Whose: your own without it; another account, or `all`, with the permission `administer llm`. */
                account?: string;
                /** @description `next` of the page before. */
                after?: string;
                from?: string;
                /** @description Calls at most. */
                limit?: number;
                model?: string;
                outcome?: "answered" | "failed" | "cancelled" | "lost";
                provider?: string;
                /** @description `gateway`, or the part of the platform that asked. */
                source?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            account: string;
                            attempts: number;
                            cache_hit: boolean;
                            cached_input_tokens: number | null;
                            /** @description The provider did not say all it counted; tokens and cost are the most it can have been. */
                            estimated: boolean;
                            failure_code: string | null;
                            first_token_ms: number | null;
                            /** @description `X-Call-Id` of its answer. */
                            id: string;
                            input_tokens: number | null;
                            latency_ms: number | null;
                            /** @description Null when the model is unpriced. */
                            micro_dollars: number | null;
                            model: string;
                            outcome: string;
                            output_tokens: number | null;
                            price_source: string;
                            price_version: string | null;
                            provider: string;
                            /** @description As the caller wrote it. */
                            requested_model: string;
                            source: string;
                            /** Format: date-time */
                            started_at: string;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsError"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /** @description At least 8 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description How much the tier allows. */
                        limits: {
                            concurrent_workflows: number;
                            dollars_per_day: number;
                            requests_per_hour: number;
                        };
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description How much the tier allows. */
                        limits: {
                            concurrent_workflows: number;
                            dollars_per_day: number;
                            requests_per_hour: number;
                        };
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only those with this text in username, display name or e-mail address. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            /** @description Whether every credential of the account is refused. */
                            disabled: boolean;
                            /** Format: date-time */
                            disabled_at: string | null;
                            display_name: string;
                            email: string | null;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_login_at: string | null;
                            /** @description What all roles together allow. */
                            permissions: string[];
                            /** @description Every account also has `authenticated`. */
                            roles: string[];
                            /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                            tier: string;
                            username: string;
                        }[];
                        /** @description Entries on all pages together. */
                        total: number;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                    /** @description At least 8 characters. */
                    password: string;
                    /** @description Names of roles. */
                    roles?: string[];
                    /**
                     * @description How much the account may use.
                     * @enum {unknown}
                     */
                    tier?: "basic" | "professional" | "enterprise" | "custom";
                    /** @description Letters, digits, spaces and . _ @ + ' -; in any case the same name. */
                    username: string;
                };
            };
        };
        responses: {
            /** @description An account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A disabled account keeps its keys, but none of them works. */
                    disabled?: boolean;
                    /** @description What people see; the username where none is given. */
                    display_name?: string;
                    /** Format: email */
                    email?: string | null;
                    /** @description At least 8 characters. */
                    password?: string;
                    /** @description Names of roles. */
                    roles?: string[];
                    /**
                     * @description How much the account may use.
                     * @enum {unknown}
                     */
                    tier?: "basic" | "professional" | "enterprise" | "custom";
                    /** @description Letters, digits, spaces and . _ @ + ' -; in any case the same name. */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description An account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** @description Whether every credential of the account is refused. */
                        disabled: boolean;
                        /** Format: date-time */
                        disabled_at: string | null;
                        display_name: string;
                        email: string | null;
                        /** Format: uuid */
                        id: string;
                        /** Format: date-time */
                        last_login_at: string | null;
                        /** @description What all roles together allow. */
                        permissions: string[];
                        /** @description Every account also has `authenticated`. */
                        roles: string[];
                        /** @description One of `basic`, `professional`, `enterprise`, `custom`. */
                        tier: string;
                        username: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    authorize: {
        parameters: {
            query: {
                client_id: string;
                code_challenge?: string;
                /** @description `S256`. */
                code_challenge_method?: string;
                /** @description `none` or `consent`. */
                prompt?: string;
                /** @description One of the client’s, letter by letter. */
                redirect_uri: string;
                /** @description `query`. */
                response_mode?: string;
                /** @description `code`. */
                response_type: string;
                scope?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to the next step, or back to the application. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    token: string;
                    /** @description Not needed: a token is recognised by itself. */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description What the token is good for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                        aud?: string;
                        client_id?: string;
                        exp?: number;
                        iat?: number;
                        iss?: string;
                        jti?: string;
                        scope?: string;
                        sub?: string;
                        token_type?: string;
                        username?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    token: string;
                    /** @description Not needed: a token is recognised by itself. */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description It does not work any more; there is nothing to read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    code?: string;
                    code_verifier?: string;
                    /** @description One of `authorization_code`, `client_credentials`, `refresh_token`. */
                    grant_type: string;
                    redirect_uri?: string;
                    refresh_token?: string;
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @description Seconds. */
                        expires_in: number;
                        /** @description Not with client credentials. */
                        refresh_token?: string;
                        /** @description Separated by spaces. */
                        scope: string;
                        /** @enum {string} */
                        token_type: "bearer";
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, as RFC 6749 writes it. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        error_description?: string;
                        /** @description The scope that was not granted. */
                        scope?: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    readSessionToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a form: the local path to go to afterwards. */
                    destination?: string;
                    password: string;
                    username: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Of a form: the local path to go to afterwards. */
                    destination?: string;
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Signed in; the cookie `SESS` holds the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What `GET /session/token` returns for this session. */
                        csrf_token: string;
                        user: {
                            /** Format: uuid */
                            id: string;
                            username: string;
                        };
                    };
                };
            };
            /** @description Signed in by a form: on to its destination. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Signed out by a form: on to the sign-in page. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityError"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    frequency_penalty?: number;
                    /** @description The newer name of `max_tokens`; one of the two. */
                    max_completion_tokens?: number;
                    /** @description Tokens of the answer at most. */
                    max_tokens?: number;
                    messages: {
                        /** @description A text, or parts of one, which are put together line by line. */
                        content: string | {
                            text: string;
                            /** @enum {string} */
                            type: "text";
                        }[];
                        /** @description What the model thought before an earlier answer. It is not shown to a model again. */
                        reasoning_content?: string;
                        /**
                         * @description `developer` is the newer name of `system`.
                         * @enum {unknown}
                         */
                        role: "developer" | "system" | "user" | "assistant";
                    }[];
                    /** @description What the call is about; told in the log of this platform alone. */
                    metadata?: {
                        [key: string]: string;
                    };
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    presence_penalty?: number;
                    response_format?: {
                        json_schema?: {
                            description?: string;
                            name: string;
                            schema?: {
                                [key: string]: unknown;
                            };
                            /** @description An answer in one piece satisfies the schema, or the call fails; with false the model is only asked to. */
                            strict?: boolean;
                        };
                        /** @enum {unknown} */
                        type: "text" | "json_object" | "json_schema";
                    };
                    /** @description The newer name of `user`. */
                    safety_identifier?: string;
                    seed?: number;
                    stop?: string | string[];
                    /**
                     * @description Server-sent events, as the answer comes.
                     * @default false
                     */
                    stream?: boolean;
                    stream_options?: {
                        /** @enum {boolean} */
                        include_obfuscation?: false;
                        /** @description One more event before the last, with the tokens of the call. */
                        include_usage?: boolean;
                    };
                    temperature?: number;
                    top_p?: number;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or events as it comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        choices: {
                            /** @description `stop`, `length` or `content_filter`. */
                            finish_reason: string;
                            index: number;
                            /** @enum {object|null} */
                            logprobs: never | null;
                            message: {
                                content: string;
                                /** @description What the model thought aloud. */
                                reasoning_content?: string;
                                /** @enum {object|null} */
                                refusal: never | null;
                                /** @enum {string} */
                                role: "assistant";
                            };
                        }[];
                        /** @description Seconds since 1970. */
                        created: number;
                        /** @description Ends with the id of the call, which `X-Call-Id` has as well. */
                        id: string;
                        /** @description The one that answered. */
                        model: string;
                        /** @enum {string} */
                        object: "chat.completion";
                        /** @description As the provider counted. */
                        usage: {
                            completion_tokens: number;
                            prompt_tokens: number;
                            prompt_tokens_details?: {
                                cached_tokens: number;
                            };
                            total_tokens: number;
                        } | null;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description `no-cache` asks anew and remembers the answer, `no-store` asks anew and does not. */
                "cache-control"?: string;
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    frequency_penalty?: number;
                    /** @description Tokens of the answer at most. */
                    max_tokens?: number;
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    presence_penalty?: number;
                    /** @description A text, or a list with one. */
                    prompt: string;
                    seed?: number;
                    stop?: string | string[];
                    /**
                     * @description Server-sent events, as the answer comes.
                     * @default false
                     */
                    stream?: boolean;
                    stream_options?: {
                        /** @enum {boolean} */
                        include_obfuscation?: false;
                        /** @description One more event before the last, with the tokens of the call. */
                        include_usage?: boolean;
                    };
                    /** @description What comes after the answer. Understood by nodes of the cluster alone. */
                    suffix?: string;
                    temperature?: number;
                    top_p?: number;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or events as it comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        choices: {
                            /** @description `stop`, `length` or `content_filter`. */
                            finish_reason: string;
                            index: number;
                            /** @enum {object|null} */
                            logprobs: never | null;
                            text: string;
                        }[];
                        /** @description Seconds since 1970. */
                        created: number;
                        /** @description Ends with the id of the call, which `X-Call-Id` has as well. */
                        id: string;
                        /** @description The one that answered. */
                        model: string;
                        /** @enum {string} */
                        object: "text_completion";
                        /** @description As the provider counted. */
                        usage: {
                            completion_tokens: number;
                            prompt_tokens: number;
                            prompt_tokens_details?: {
                                cached_tokens: number;
                            };
                            total_tokens: number;
                        } | null;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    createEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it. */
                "x-model-fallback"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    dimensions?: number;
                    /**
                     * @description `base64` has the numbers as 32-bit floats, the low byte first.
                     * @default float
                     * @enum {unknown}
                     */
                    encoding_format?: "float" | "base64";
                    input: string | string[];
                    /** @description An id of the list of models, `provider/id`, or `auto` for the best one there is. */
                    model: string;
                    /** @description Who the call is for; told in the log of this platform alone. */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description One vector for each input, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            embedding: number[] | string;
                            index: number;
                            /** @enum {string} */
                            object: "embedding";
                        }[];
                        model: string;
                        /** @enum {string} */
                        object: "list";
                        usage: {
                            prompt_tokens: number;
                            total_tokens: number;
                        } | null;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    listOpenAiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Seconds since 1970; 0 when nobody says. */
                            created: number;
                            id: string;
                            /** @enum {string} */
                            object: "model";
                            owned_by: string;
                        }[];
                        /** @enum {string} */
                        object: "list";
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
    readOpenAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                "*": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds since 1970; 0 when nobody says. */
                        created: number;
                        id: string;
                        /** @enum {string} */
                        object: "model";
                        owned_by: string;
                    };
                };
            };
            /** @description What went wrong, in the shape of this interface. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenaiError"];
                };
            };
        };
    };
}
