wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = '{"done":0,"title":"Clean Room"}'
