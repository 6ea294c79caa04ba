-- Sends the requests of a file, again and again, and prints the figures as JSON. The key is read from a file too.
-- A request may name one that follows it: that is sent next, with the id of what the first has created.
local requests, sent, following = {}, 0, {}
local authorization

function init(args)
  local directory = args[1]
  authorization = "Bearer " .. io.open(directory .. "/key"):read("*a")
  for line in io.lines(directory .. "/requests") do
    local method, path, once, nextPath, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = { Authorization = authorization }
    if once ~= "" then headers["Idempotency-Key"] = once end
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
    if nextPath ~= "" then response = follow(nextPath) end
  end
end

-- wrk parses responses only where this function exists.
function follow(path)
  return function(status, _, body)
    if status ~= 201 then return end
    local id = body:match('"id":"([^"]+)"')
    following[#following + 1] = wrk.format("POST", (path:gsub("{id}", id)), { Authorization = authorization })
  end
end

function request()
  if #following > 0 then return table.remove(following) end
  sent = sent % #requests + 1
  return requests[sent]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"perSecond":%.1f,"p50":%.3f,"p99":%.3f,"failed":%d}\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
