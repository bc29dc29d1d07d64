// Runs a queue worker as a separate process, until it is killed or receives a request to close.
const [queueUrl, redisUrl, prefix] = process.argv.slice(2)
const { bullmqQueue } = await import(queueUrl)

const queue = bullmqQueue({ redisUrl, prefix, onError: () => {} })
const hold = (payload, { attempt, signal }) => {
  process.send({ payload, attempt })
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
await queue.work({ 'sync-connection': hold, 'poll-locations': hold, reconcile: hold })

process.once('message', async () => {
  await queue.close()
  process.disconnect()
})
