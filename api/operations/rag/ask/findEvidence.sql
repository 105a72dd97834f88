-- Chunks that fit a question, the best fit first: of the newest indexed blocks of one chain, or of the blocks the question names; of those only what it is about, where it is about something that chunks are of.
-- Grain: one chunk. Parameters: chain, window (indexed blocks looked at), blocks (heights named; []: the window), txs and addresses (lower-case hex with 0x), topics, words (lower-case; whole words of a text), limit.
-- Sort key: (chain, block_number) of chunks and of blocks: the bounds are found first, from the end of blocks backwards.
WITH
  (SELECT (min(block_number), max(block_number)) FROM (SELECT block_number FROM blocks WHERE chain = {chain:String} ORDER BY block_number DESC LIMIT {window:UInt32})) AS newest,
  ({blocks:Array(UInt64)} AS named) != [] AS is_named,
  arrayMap(t -> toFixedString(unhex(substring(t, 3)), 32), {txs:Array(String)}) AS wanted_txs,
  has(wanted_txs, c.tx_hash) AS tx_fits,
  hasAny(c.addresses, {addresses:Array(String)}) AS address_fits,
  has({topics:Array(String)}, c.topic) AS topic_fits,
  -- Cutting a text into words costs: only one that holds a word somewhere is cut.
  if(multiSearchAnyCaseInsensitive(c.text, {words:Array(String)}), length(arrayIntersect({words:Array(String)}, splitByNonAlpha(lower(c.text)))), 0) AS words_found,
  100 * tx_fits + 60 * address_fits + 40 * is_named + 10 * topic_fits + 4 * words_found AS fit
SELECT lower(hex(c.chunk_id)) AS chunk_id, toString(c.chain) AS chain, toFloat64(c.block_number) AS block_number, c.block_time AS timestamp, toString(c.topic) AS topic,
  concat('0x', lower(hex(c.tx_hash))) AS tx_hash, c.position AS position, c.text AS text, c.value_usd AS value_usd, toFloat64(fit) AS score
FROM chunks AS c
WHERE c.chain = {chain:String} AND c.block_number BETWEEN if(is_named, arrayMin(named), newest.1) AND if(is_named, arrayMax(named), newest.2) AND (NOT is_named OR has(named, c.block_number))
  AND (tx_fits OR address_fits OR (is_named AND (topic_fits OR empty({topics:Array(String)}))) OR (NOT is_named AND empty(wanted_txs) AND empty({addresses:Array(String)}) AND (topic_fits OR words_found > 0)))
ORDER BY fit DESC, c.value_usd DESC NULLS LAST, c.block_number DESC, c.topic, c.position, c.chunk_id
LIMIT {limit:UInt32}
