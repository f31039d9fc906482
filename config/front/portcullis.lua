-- Asks Portcullis about a request of HAProxy: see haproxy.cfg.
-- The path is one that no rule allows: that of the request itself is in `x-forwarded-uri`.
local ADDRESS = "http://127.0.0.1:4456/_portcullis"

-- Milliseconds for one attempt. The HTTP client makes four, and only from HAProxy 2.8 on another number of them can be
-- set (`httpclient.retries`): five seconds in all.
local TIMEOUT = 1250

-- Headers of an allowing response that the application gets, in place of the client's own. In lower case.
local PASSED_ON = { "x-user" }

-- Fields of the client's connection and of a body that is not sent along.
local LEFT_OUT = { ["connection"] = true, ["keep-alive"] = true, ["te"] = true, ["trailer"] = true, ["upgrade"] = true,
  ["transfer-encoding"] = true, ["content-length"] = true, ["expect"] = true, ["host"] = true,
  ["proxy-connection"] = true }

-- The client's fields in lists that begin at 1, and what is asked about.
local function question(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not LEFT_OUT[name] then
      headers[name] = {}
      for i = 0, #values do
        table.insert(headers[name], values[i])
      end
    end
  end
  headers["x-forwarded-method"] = { txn.sf:method() }
  headers["x-forwarded-uri"] = { txn.sf:pathq() }
  return headers
end

local function refuse(txn, answer)
  local reply = txn:reply({ status = answer.status, body = answer.body })
  for _, name in ipairs({ "content-type", "location", "www-authenticate", "set-cookie" }) do
    local values = answer.headers[name] or {}
    for i = 0, values[0] and #values or -1 do
      reply:add_header(name, values[i])
    end
  end
  txn:done(reply)
end

core.register_action("portcullis", { "http-req" }, function(txn)
  local answer = core.httpclient():get({ url = ADDRESS, headers = question(txn), timeout = TIMEOUT })
  if not answer or not answer.status or answer.status == 0 then
    refuse(txn, { status = 503, body = "", headers = {} })
  elseif answer.status < 200 or answer.status > 299 then
    refuse(txn, answer)
  else
    for _, name in ipairs(PASSED_ON) do
      txn.http:req_del_header(name)
      local values = answer.headers[name]
      if values then
        txn.http:req_set_header(name, values[0])
      end
    end
    txn:set_var("txn.allowed", true)
  end
end, 0)
