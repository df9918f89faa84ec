import type { BuiltInFlow } from '../../flows/seed-built-in.ts'

/** Makes a report of two CSV files without a model, and sends it to an API. */
export const csvToReport: BuiltInFlow = {
  definition: {
    id: 'csv_to_report',
    label: 'CSV to report',
    description:
      'Reads orders and customers as CSV, keeps the paid orders, sums them by customer, adds names and regions, and posts the report to an API. No model is used. Copy the flow, change the host of the URL, and add the connection `report_api` with the credentials of your API. Put the CSV into `orders` and `customers`.',
    version: '1.0.0',
    category: 'sample',
    tags: ['csv', 'report', 'connection'],
    steps: [
      {
        id: 'sum_orders',
        type: 'data_transform',
        label: 'Sum paid orders by customer',
        transformations: [
          { operation: 'parse', format: 'csv', source: 'orders' },
          { operation: 'filter', where: 'item.status == "paid"' },
          {
            operation: 'group',
            by: 'item.customer',
            aggregates: {
              orders: 'items.size()',
              total: 'round(items.sum(order, double(order.amount)), 2)',
            },
          },
        ],
        output_to_memory: 'totals',
      },
      {
        id: 'read_customers',
        type: 'data_transform',
        label: 'Read the customers',
        transformations: [{ operation: 'parse', format: 'csv', source: 'customers' }],
        output_to_memory: 'known_customers',
      },
      {
        id: 'report',
        type: 'data_transform',
        label: 'Add names and regions',
        dependencies: ['sum_orders', 'read_customers'],
        transformations: [
          {
            operation: 'join',
            left: 'totals',
            right: 'known_customers',
            left_key: 'item.key',
            right_key: 'item.id',
            kind: 'left',
          },
          { operation: 'sort', by: 'item.total', order: 'desc' },
          {
            operation: 'map',
            expression:
              '{"customer": item.?name.orValue(item.key), "region": item.?region.orValue("unknown"), "orders": item.orders, "total": item.total}',
          },
        ],
        output_to_memory: 'report',
      },
      {
        id: 'send',
        type: 'external_api',
        label: 'Send the report',
        dependencies: ['report'],
        api: {
          url: 'https://api.example.com/reports',
          method: 'POST',
          connection: 'report_api',
          body: {
            day: '{{= format_date(now, "yyyy-MM-dd") }}',
            total: '{{= round(report.sum(row, row.total), 2) }}',
            rows: '{{report}}',
          },
          retry_attempts: 2,
        },
        output_to_memory: 'sent',
      },
    ],
  },
  metadata: {
    created_by: 'Tutti',
    complexity_level: 'simple',
    use_cases: [
      'Report sales from an export every week',
      'Join two files by a key',
      'Send data to an API with stored credentials',
    ],
    sample: true,
    sample_input: {
      orders: [
        'id,customer,status,amount',
        '1,c1,paid,120.50',
        '2,c2,open,80',
        '3,c1,paid,19.50',
        '4,c3,paid,42',
        '5,c4,paid,7.25',
        '',
      ].join('\n'),
      customers: [
        'id,name,region',
        'c1,Alpha Ltd,North',
        'c2,Beta GmbH,South',
        'c3,"Gamma, Inc.",West',
        '',
      ].join('\n'),
    },
  },
}
