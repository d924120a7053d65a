// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {LedgerVault} from "./LedgerVault.sol";
import {Operations} from "./Operations.sol";

/// @title The order of one operator's stream: which operation comes next, and what all of them together were.
contract Settlement is AccessControl {
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @notice How far a node's clock may be ahead of the chain's, milliseconds.
    uint256 public constant MAX_AHEAD_MS = 15 * 60 * 1000;

    struct Cursor {
        uint64 lastSeq;
        uint48 lastTimeMs;
        uint40 lastBatchAt;
        uint64 anchored;
    }

    LedgerVault public immutable vault;
    /// @notice SHA-256 chain over the whole operations: head = SHA-256(head ‖ operation).
    bytes32 public head;
    Cursor private _cursor;
    /// @notice Merkle root of the journal's entries that an anchor covers, by the number of the last one.
    mapping(uint64 lastEntry => bytes32 root) public anchors;

    /// @param first,last numbers of the operations; `last` = `first` - 1: none, a sign of life
    event BatchApplied(uint64 indexed first, uint64 indexed last, bytes32 head, uint64 timeMs);
    event Anchored(uint64 indexed firstEntry, uint64 indexed lastEntry, bytes32 root);

    error AlreadyApplied(uint64 lastSeq, uint64 first);
    error GapInStream(uint64 lastSeq, uint64 first);
    error WrongHead(bytes32 head, bytes32 prevHead);
    error UnknownKind(uint256 seq, uint256 kind);
    error CutOperation(uint256 seq);
    error TimeWentBack(uint256 seq, uint256 lastTimeMs, uint256 timeMs);
    error TimeAhead(uint256 timeMs, uint256 latestMs);
    error AnchorOutOfOrder(uint64 anchored, uint64 firstEntry, uint64 lastEntry);

    /// @param genesis head of the empty stream: SHA-256 of `svc:settlement:v1:` and the network's name
    constructor(LedgerVault vault_, address admin, address operator, bytes32 genesis) {
        vault = vault_;
        head = genesis;
        _cursor.lastBatchAt = uint40(block.timestamp);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(OPERATOR_ROLE, operator);
    }

    /// @notice Takes the next operations of the stream: all of them, or none. An empty batch is a sign of life.
    /// @param first number of the first operation; the cursor makes it impossible to apply one twice
    /// @param prevHead head before it
    function applyBatch(uint64 first, bytes32 prevHead, bytes calldata ops) external onlyRole(OPERATOR_ROLE) {
        Cursor memory cursor_ = _cursor;
        require(first > cursor_.lastSeq, AlreadyApplied(cursor_.lastSeq, first));
        require(first == cursor_.lastSeq + 1, GapInStream(cursor_.lastSeq, first));
        require(prevHead == head, WrongHead(head, prevHead));
        (uint256 next, uint256 timeMs, bytes32 newHead) = _walk(first, cursor_.lastTimeMs, prevHead, ops);
        uint256 latestMs = block.timestamp * 1000 + MAX_AHEAD_MS;
        require(timeMs <= latestMs, TimeAhead(timeMs, latestMs));
        cursor_.lastSeq = uint64(next - 1);
        cursor_.lastTimeMs = uint48(timeMs);
        cursor_.lastBatchAt = uint40(block.timestamp);
        _cursor = cursor_;
        head = newHead;
        vault.execute(first, ops);
        emit BatchApplied(first, uint64(next - 1), newHead, uint64(timeMs));
    }

    /// @notice Fixes entries of the journal by their Merkle root; each of them once, in order.
    function anchor(uint64 firstEntry, uint64 lastEntry, bytes32 root) external onlyRole(OPERATOR_ROLE) {
        uint64 anchored = _cursor.anchored;
        require(
            firstEntry == anchored + 1 && lastEntry >= firstEntry,
            AnchorOutOfOrder(anchored, firstEntry, lastEntry)
        );
        _cursor.anchored = lastEntry;
        anchors[lastEntry] = root;
        emit Anchored(firstEntry, lastEntry, root);
    }

    /// @return lastSeq number of the last operation applied
    /// @return head_ hash over all of them
    /// @return lastTimeMs the stream's time, epoch milliseconds
    /// @return batchAt block time of the last batch, seconds
    /// @return anchored number of the last entry that an anchor covers
    function cursor()
        external
        view
        returns (uint64 lastSeq, bytes32 head_, uint48 lastTimeMs, uint40 batchAt, uint64 anchored)
    {
        return (_cursor.lastSeq, head, _cursor.lastTimeMs, _cursor.lastBatchAt, _cursor.anchored);
    }

    /// @notice Block time of the last batch, seconds: how long the operator has been silent.
    function lastBatchAt() external view returns (uint256) {
        return _cursor.lastBatchAt;
    }

    /// @dev What does not depend on balances: kinds, lengths, times, the head.
    function _walk(
        uint256 seq,
        uint256 lastMs,
        bytes32 head_,
        bytes calldata ops
    ) private view returns (uint256, uint256, bytes32) {
        uint256 pos;
        assembly ("memory-safe") {
            pos := ops.offset
        }
        uint256 end = pos + ops.length;
        while (pos < end) {
            uint256 kind = Operations.kindAt(pos);
            uint256 length = Operations.lengthOf(kind);
            require(length != 0, UnknownKind(seq, kind));
            require(pos + length <= end, CutOperation(seq));
            uint256 timeMs = Operations.timeAt(pos);
            require(timeMs >= lastMs, TimeWentBack(seq, lastMs, timeMs));
            lastMs = timeMs;
            head_ = _hashed(head_, pos, length);
            unchecked {
                pos += length;
                seq++;
            }
        }
        return (seq, lastMs, head_);
    }

    /// @dev SHA-256(head ‖ operation), in the memory behind the free pointer.
    function _hashed(bytes32 head_, uint256 pos, uint256 length) private view returns (bytes32 next) {
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            mstore(buffer, head_)
            calldatacopy(add(buffer, 32), pos, length)
            // The precompile fails for want of gas only, and then so does all that follows.
            if iszero(staticcall(gas(), 2, buffer, add(length, 32), 0, 32)) {
                revert(0, 0)
            }
            next := mload(0)
        }
    }
}
