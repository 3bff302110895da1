module github.com/yaytpl/yaytpl

go 1.25.0
