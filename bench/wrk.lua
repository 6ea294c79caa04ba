-- Sends the requests of a file, again and again, and prints the figures as JSON. The key is read from a file too.
local requests, sent = {}, 0

function init(args)
  local directory = args[1]
  local key = io.open(directory .. "/key"):read("*a")
  for line in io.lines(directory .. "/requests") do
    local method, path, once, body = line:match("^(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = { Authorization = "Bearer " .. key }
    if once ~= "" then headers["Idempotency-Key"] = once end
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  sent = sent % #requests + 1
  return requests[sent]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"perSecond":%.1f,"p50":%.3f,"p99":%.3f,"failed":%d}\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
